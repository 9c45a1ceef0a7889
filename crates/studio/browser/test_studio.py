"""The studio in Chromium: the static page with its engine in wasm, and the page of `stickslip studio`."""

import functools
import http.server
import json
import os
import pathlib
import signal
import subprocess
import threading
import time

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = ROOT / os.environ.get("STUDIO_PROGRAM", "target/release/stickslip")
PAGE = pathlib.Path(os.environ.get("STUDIO_PAGE", ROOT / "target/studio"))
SHOTS = os.environ.get("STUDIO_SHOTS")
FIRST = (ROOT / "scenarios/first.toml").read_text()
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server that knows nothing of the page."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def static():
    """The static page, below a path."""
    handler = functools.partial(Quiet, directory=str(PAGE.parent))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{PAGE.name}/index.html"
    server.shutdown()


@pytest.fixture(scope="session")
def native():
    process = subprocess.Popen([PROGRAM, "studio", ROOT / "scenarios", "--no-open"], stdout=subprocess.PIPE, text=True)
    yield process.stdout.readline().strip()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 0


class Studio:
    def __init__(self, page, address):
        self.page = page
        self.errors = []
        page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: self.errors.append(str(e)))
        page.goto(address)
        self.until(lambda: self.status().startswith(("ok", "untrusted")))

    def part(self, name):
        return self.page.locator(f"[data-testid={name}]")

    def status(self):
        return self.part("status").inner_text()

    def until(self, holds, seconds=40):
        end = time.time() + seconds
        while not holds():
            assert time.time() < end, f"{self.status()} | {self.part('diagnostics').inner_text()} | {self.errors}"
            self.page.wait_for_timeout(30)

    def text(self):
        return self.page.evaluate("() => window.stickslip.text()")

    def set(self, text):
        self.page.evaluate("text => window.stickslip.setText(text)", text)

    def run(self):
        return self.page.evaluate("() => window.stickslip.run()")

    def pixels(self):
        return self.page.evaluate("() => document.querySelector('[data-testid=canvas]').toDataURL()")

    def shot(self, name):
        if SHOTS:
            self.page.screenshot(path=str(pathlib.Path(SHOTS) / f"{name}.png"))


@pytest.fixture(params=["wasm", "native"])
def studio(request, browser):
    address = request.getfixturevalue("static" if request.param == "wasm" else "native")
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    studio = Studio(context.new_page(), address)
    assert studio.page.evaluate("() => window.stickslip.engine") == request.param
    yield studio
    assert studio.errors == []
    context.close()


def test_it_opens_an_example_runs_it_and_plays(studio):
    assert "stick-slip" in studio.status()
    assert studio.part("plot-series").locator("canvas").count() >= 2
    assert studio.part("plot-phase").locator("canvas").count() >= 1
    before = studio.pixels()
    studio.page.wait_for_timeout(300)
    assert studio.pixels() != before
    studio.shot(f"first-{studio.page.evaluate('() => window.stickslip.engine')}")
    summary = studio.run()
    assert summary["status"] == "ok" and abs(summary["values"]["amplitude_pp"]["value"] - 0.06028211172) < 1e-9
    assert "token" not in studio.page.url


def test_a_wrong_text_is_underlined_and_its_hint_applies(studio):
    studio.set(FIRST.replace("mass =", "mas ="))
    studio.until(lambda: "mas" in studio.part("diagnostics").inner_text())
    assert studio.page.locator(".cm-lintRange-error").count() >= 1
    with pytest.raises(Exception, match="mas"):
        studio.run()
    studio.part("diagnostics").get_by_role("button").first.click()
    studio.until(lambda: studio.status().startswith("ok"))
    assert "mass =" in studio.text()


def test_a_click_on_a_number_gives_a_slider_that_edits_the_text(studio):
    studio.page.locator(".cm-live", has_text="0.1 m/s").click()
    slider = studio.page.locator("[data-testid=slider][data-path='drive.velocity']")
    assert slider.count() == 1
    slider.locator("input").focus()
    for _ in range(30):
        studio.page.keyboard.press("PageUp")
    studio.until(lambda: "steady-sliding" in studio.status())
    assert 'velocity = "0.1 m/s"' not in studio.text()
    studio.page.locator(".cm-content").click()
    for _ in range(40):
        studio.page.keyboard.press("Control+z")
    studio.until(lambda: "stick-slip" in studio.status())
    assert studio.text().strip() == FIRST.strip()


def test_completion_knows_the_keys_at_a_place(studio):
    studio.set(FIRST.replace('damping = "0.5 N s/m"\n', "\n"))
    place = FIRST.index("damping")
    studio.page.evaluate("() => window.scrollTo(0, 0)")
    line = FIRST[:place].count("\n")
    studio.page.locator(".cm-line").nth(line).click()
    studio.page.keyboard.type("dam")
    studio.page.wait_for_selector(".cm-tooltip-autocomplete", timeout=5000)
    assert "damping" in studio.page.locator(".cm-tooltip-autocomplete").inner_text()
    studio.page.keyboard.press("Escape")
    studio.set(FIRST)
    studio.until(lambda: studio.status().startswith("ok"))


@pytest.mark.parametrize("question, kind", [("threshold", "threshold"), ("sweep", "map"), ("stability", "stability"), ("cycle", "limit-cycle")])
def test_questions_write_an_analysis_and_show_its_figures(studio, question, kind):
    studio.part(f"ask-{question}").click()
    studio.until(lambda: f'kind = "{kind}"' in studio.text())
    studio.until(lambda: studio.status().startswith(("ok", "untrusted", "failed")), 90)
    assert studio.status().startswith("ok"), studio.status()
    studio.page.wait_for_timeout(100)
    studio.shot(f"ask-{question}")


def test_a_map_fills_in(studio):
    # Long enough for several reports on the way.
    studio.set(FIRST.replace("30 s", "90 s"))
    studio.until(lambda: studio.status().startswith("ok"))
    studio.part("ask-map").click()
    seen = set()
    end = time.time() + 90
    while time.time() < end and not studio.page.locator("#figures img").count():
        label = studio.page.locator("#live-map").get_attribute("aria-label") or ""
        seen.add(label)
        studio.page.wait_for_timeout(20)
    assert studio.status().startswith("ok")
    assert len([s for s in seen if "points" in s]) >= 2, seen


def test_a_dropped_record_is_fitted(studio):
    scenario = (ROOT / "scenarios/fit-velocity-step.toml").read_text()
    model = scenario[: scenario.index("[analysis]")] + '[analysis]\nkind = "transient"\nduration = "60 s"\n'
    studio.set(model)
    studio.page.set_input_files("#file", str(ROOT / "scenarios/fit-velocity-step.csv"))
    studio.until(lambda: "fit-velocity-step.csv" in studio.part("drop").inner_text())
    studio.until(lambda: studio.status().startswith(("ok", "untrusted")))
    studio.part("ask-fit").click()
    studio.until(lambda: 'kind = "fit"' in studio.text())
    studio.until(lambda: studio.page.locator("#figures img").count() >= 1, 90)
    assert "fit-velocity-step.csv" in studio.text()


def test_a_link_restores_the_scenario(studio, browser):
    changed = FIRST.replace("0.35", "0.4")
    studio.set(changed)
    studio.until(lambda: studio.status().startswith("ok"))
    studio.part("share").click()
    studio.until(lambda: "#s=" in studio.page.url)
    link = studio.page.url
    assert "token" not in link
    page = studio.page.context.new_page()
    if studio.page.evaluate("() => window.stickslip.engine") == "wasm":
        other = Studio(page, link)
        assert other.text() == changed and other.errors == []
    page.close()


def test_a_hopeless_run_can_be_superseded(studio):
    studio.set(FIRST.replace('"30 s"', '"1e9 s"'))
    studio.page.wait_for_timeout(1200)
    studio.set(FIRST)
    studio.until(lambda: studio.status().startswith("ok") and "stick-slip" in studio.status())


@pytest.mark.parametrize("width, height", [(1440, 900), (800, 1000), (390, 844)])
def test_it_fits_the_window_in_light_and_dark(browser, static, width, height):
    context = browser.new_context(viewport={"width": width, "height": height})
    studio = Studio(context.new_page(), static)
    for theme in ["light", "dark"]:
        studio.page.evaluate("name => { document.documentElement.dataset.theme = name }", theme)
        studio.page.wait_for_timeout(200)
        studio.shot(f"page-{width}-{theme}")
        assert studio.page.evaluate("() => document.documentElement.scrollWidth") <= width
    names = studio.page.evaluate("() => [...document.querySelectorAll('button, input, canvas[role=img]')].filter(e => e.offsetParent && !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map(e => e.outerHTML)")
    assert names == [], "every control has a name"
    assert studio.errors == []
    context.close()


# Motions that amplify the last bit, each with a setting of that size which moves its results in one and the same engine.
CHAOTIC = {"chain": 'structure.coupling="10.0000000001 N/m"'}


def summary_of(name, *settings):
    command = [PROGRAM, "run", name, "--json", "--data-only", "-q", "--out", f"/tmp/studio-{os.getpid()}"]
    done = subprocess.run(command + [part for s in settings for part in ("--set", s)], capture_output=True, text=True)
    summary = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return summary if "values" in summary else None


def test_both_engines_give_the_same_summaries(browser, static):
    """Every scenario that runs in moderate time, in the browser and by the program."""
    context = browser.new_context()
    studio = Studio(context.new_page(), static)
    slow = {"map", "fit", "threshold"}
    listed = json.loads((PAGE / "scenarios.json").read_text())
    compared = 0
    for entry in listed:
        if any(f'kind = "{kind}"' in entry["text"] for kind in slow) or "include" in entry["text"]:
            continue
        name = ROOT / "scenarios" / f"{entry['name']}.toml"
        expected = summary_of(name)
        if expected is None:
            continue
        given = studio.page.evaluate(
            """async ([text, files]) => {
                const { engine } = await import(new URL('engine.js', location.href));
                window.other ??= engine();
                const answer = await window.other.ask({ op: 'run', name: 'x.toml', text, files, figures: false }).promise;
                return answer.summary ?? answer;
            }""",
            [entry["text"], entry.get("files", {})],
        )
        assert given.get("status") == expected["status"], (entry["name"], given)
        if entry["name"] in CHAOTIC:
            assert given["values"].keys() == expected["values"].keys()
            assert summary_of(name, CHAOTIC[entry["name"]])["values"] != expected["values"], "not chaotic: compare it"
            continue
        # Other instructions round in another way, so steps differ: results may differ as much as by other steps.
        other = summary_of(name, "analysis.rtol=0.7e-8")
        agree(entry["name"], given["values"], expected["values"], other["values"] if other else expected["values"])
        compared += 1
    assert compared >= 15
    context.close()


def agree(name, a, b, other, bound=2e-6):
    """`creep` is a mean over rows, which lie where the steps do: it has three digits."""
    if isinstance(a, dict):
        assert a.keys() == b.keys(), name
        for key in a:
            if key not in ("energy_residual", "work_residual"):
                agree(f"{name}.{key}", a[key], b[key], other.get(key, b[key]), 1e-3 if key == "creep" else bound)
    elif isinstance(a, list):
        assert len(a) == len(b), name
        for x, y, z in zip(a, b, other):
            agree(name, x, y, z, bound)
    elif isinstance(a, float) or isinstance(b, float):
        assert abs(a - b) <= max(bound * abs(b) + 1e-9, 10 * abs(b - other)), (name, a, b, other)
    else:
        assert a == b, name
