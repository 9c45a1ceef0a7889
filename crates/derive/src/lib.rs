//! `#[derive(Kind)]`: a law's parameters are declared once, on its fields.
//!
//! ```text
//! /// What the law is: shown by `explain` and in the catalogue.
//! #[derive(Clone, Debug, Kind)]
//! #[kind("stribeck", claims = "odd passive set_valued", reference = "..")]
//! pub struct Stribeck<S = f64> {
//!     /// Kinetic coefficient.
//!     #[param(unit = "1", default = 0.3, min = 0.0)]
//!     pub mu_k: S,
//! }
//! ```
//! On the struct: the name; `claims` (words); `reference`; `into` (the law that the parameters become);
//! `shorthand` ("mu: mu_s mu_k", one key that sets several); `one_of` ("mu limit", exactly one must be given);
//! `example` (parameters as a scenario has them) with `load`, `speed` and `slip` in SI, which show the law at work, or for
//! a normal law with `approach`, and `opening` where it acts before the gap is closed;
//! `crate = "stickslip"` where the facade is the only dependency.
//! On a field: `unit`; `default` (a number, a choice, or another parameter's name); `min`, `above`, `max`, `below`
//! (a number or another parameter's name); `choices` ("sinh log"); `column` (the list of tables it may come from). A `Nested` field is a
//! friction law of its own; a `PhantomData` field is no parameter.
mod delegate;

use proc_macro::{Delimiter, TokenStream, TokenTree};

/// A law around another names what it changes; the rest of `Law` is that of the law inside. See the module.
#[proc_macro_attribute]
pub fn delegate(attribute: TokenStream, item: TokenStream) -> TokenStream {
    match delegate::expand(attribute, item) {
        Ok(code) => code,
        Err(message) => format!("compile_error!({message:?});").parse().expect("an error parses"),
    }
}

/// See the crate documentation.
#[proc_macro_derive(Kind, attributes(kind, param))]
pub fn kind(input: TokenStream) -> TokenStream {
    match expand(input) {
        Ok(code) => code.parse().expect("generated code parses"),
        Err(message) => format!("compile_error!({message:?});").parse().expect("an error parses"),
    }
}

/// `key = value` pairs of an attribute; a lone literal has the key "".
type Pairs = Vec<(String, String)>;

fn expand(input: TokenStream) -> Result<String, String> {
    let mut tokens = input.into_iter().peekable();
    let (docs, head) = attributes(&mut tokens, "kind")?;
    let mut name = String::new();
    let mut body = None;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word.to_string() == "struct" => {
                name = tokens.next().map(|t| t.to_string()).unwrap_or_default();
            }
            TokenTree::Group(g) if g.delimiter() == Delimiter::Brace => body = Some(g.stream()),
            _ => {}
        }
    }
    let body = body.ok_or("Kind needs a struct with named fields")?;
    let kind = value(&head, "").ok_or("Kind needs #[kind(\"name\")]")?;

    let (mut params, mut reads) = (String::new(), String::new());
    let mut fields = body.into_iter().peekable();
    while fields.peek().is_some() {
        let (docs, pairs) = attributes(&mut fields, "param")?;
        let mut field = String::new();
        let mut of = String::new();
        let (mut after_colon, mut depth) = (false, 0);
        for token in fields.by_ref() {
            let text = token.to_string();
            match text.as_str() {
                "," if depth == 0 => break,
                "<" => depth += 1,
                ">" => depth -= 1,
                _ => {}
            }
            if after_colon {
                of.push_str(&text);
            } else if text == ":" {
                after_colon = true;
            } else if text != "pub" {
                field = text;
            }
        }
        // A field named like a word of the language: the key is that word.
        let name = field.trim_start_matches("r#").to_string();
        if of.starts_with("PhantomData") {
            reads.push_str(&format!("{field}: ::std::marker::PhantomData, "));
            continue;
        }
        let (shape, read) = if of.starts_with("Vec<") {
            ("List".to_string(), format!("list({name:?})"))
        } else if of == "Choice" {
            let words = words(&value(&pairs, "choices").ok_or("a Choice needs `choices`")?).join(", ");
            (format!("Choice(&[{words}])"), format!("choice({name:?}, &[{words}])"))
        } else if of == "Nested" {
            ("Law".to_string(), format!("law({name:?})"))
        } else {
            ("Number".to_string(), format!("number({name:?})"))
        };
        reads.push_str(&format!("{field}: source.{read}?, "));
        params.push_str(&param(&name, &docs, &shape, &pairs));
    }
    if let Some(shorthand) = value(&head, "shorthand") {
        let text = unquote(&shorthand);
        let (key, targets) = text.split_once(':').ok_or("shorthand is \"key: target target\"")?;
        let shape = format!("Shorthand(&[{}])", words(targets).join(", "));
        let docs = format!("Sets {} at once.", targets.trim().replace(' ', " and "));
        params.push_str(&param(key.trim(), &docs, &shape, &vec![]));
    }

    let law = value(&head, "into").map(|t| unquote(&t)).unwrap_or_else(|| format!("{name}<S>"));
    let claims: String = words(&value(&head, "claims").unwrap_or_default())
        .iter()
        .map(|c| format!("claims.{} = true; ", unquote(c)))
        .collect();
    let one_of = words(&value(&head, "one_of").unwrap_or_default()).join(", ");
    let reference = value(&head, "reference").unwrap_or_else(|| "\"\"".into());
    let example = example(&head)?;
    let pressing = pressing(&head)?;
    let code = format!(
        "impl<S: ::stickslip_real::Real> ::stickslip_laws::Kind<S> for {name}<S> {{
            type Law = {law};
            const NAME: &'static str = {kind};
            const ABOUT: &'static str = {docs:?};
            const REFERENCE: &'static str = {reference};
            const PARAMS: &'static [::stickslip_laws::Param] = &[{params}];
            const ONE_OF: &'static [&'static str] = &[{one_of}];
            const CLAIMS: ::stickslip_laws::Claims = {{
                #[allow(unused_mut)]
                let mut claims = ::stickslip_laws::Claims::NONE;
                {claims}
                claims
            }};
            const EXAMPLE: Option<::stickslip_laws::Example> = {example};
            const PRESSING: Option<::stickslip_laws::Pressing> = {pressing};
            fn read(source: &::stickslip_laws::Source<S>) -> Result<Self::Law, ::stickslip_laws::LawError> {{
                let kind = {name} {{ {reads} }};
                Ok(kind.into())
            }}
        }}"
    );
    Ok(match value(&head, "crate").map(|path| unquote(&path)) {
        None => code,
        Some(path) => code
            .replace("::stickslip_laws", &format!("::{path}::laws"))
            .replace("::stickslip_real", &format!("::{path}::real")),
    })
}

/// The example, as an expression.
fn example(head: &Pairs) -> Result<String, String> {
    let Some(parameters) = value(head, "example").filter(|_| value(head, "approach").is_none()) else {
        return Ok("None".into());
    };
    let number = |key: &str| value(head, key).ok_or(format!("an example needs `{key}`, in SI"));
    let (load, speed, slip) = (number("load")?, number("speed")?, number("slip")?);
    Ok(format!(
        "Some(::stickslip_laws::Example {{ parameters: {parameters}, load: {load}, speed: {speed}, slip: {slip} }})"
    ))
}

/// The example of a normal law, as an expression.
fn pressing(head: &Pairs) -> Result<String, String> {
    let Some(approach) = value(head, "approach") else { return Ok("None".into()) };
    let parameters = value(head, "example").ok_or("`approach` belongs to an `example`")?;
    let opening = value(head, "opening").unwrap_or_else(|| "0.0".into());
    Ok(format!(
        "Some(::stickslip_laws::Pressing {{ parameters: {parameters}, opening: {opening}, approach: {approach} }})"
    ))
}

fn param(field: &str, docs: &str, shape: &str, pairs: &Pairs) -> String {
    let unit = value(pairs, "unit").unwrap_or_else(|| "\"1\"".into());
    let preset = match value(pairs, "default") {
        None => "Required".into(),
        Some(text) if text.starts_with('"') && shape.starts_with("Choice") => format!("Word({text})"),
        Some(text) if text.starts_with('"') => format!("Same({text})"),
        Some(text) => format!("Number({text})"),
    };
    let mut bounds = String::new();
    for (key, side) in [("min", "Min"), ("above", "Above"), ("max", "Max"), ("below", "Below")] {
        if let Some(text) = value(pairs, key) {
            let limit = if text.starts_with('"') { format!("Same({text})") } else { format!("Number({text})") };
            bounds.push_str(&format!(
                "::stickslip_laws::Bound {{ side: ::stickslip_laws::Side::{side}, limit: ::stickslip_laws::Preset::{limit} }}, "
            ));
        }
    }
    let column = value(pairs, "column").map_or("None".into(), |c| format!("Some({c})"));
    format!(
        "::stickslip_laws::Param {{ name: {field:?}, about: {docs:?}, unit: {unit}, shape: ::stickslip_laws::Shape::{shape}, \
         preset: ::stickslip_laws::Preset::{preset}, bounds: &[{bounds}], column: {column} }}, "
    )
}

fn unquote(text: &str) -> String {
    text.trim_matches('"').to_string()
}

/// The words of a text, each quoted again.
fn words(text: &str) -> Vec<String> {
    unquote(text).split_whitespace().map(|w| format!("{w:?}")).collect()
}

fn value(pairs: &Pairs, key: &str) -> Option<String> {
    pairs.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone())
}

/// Reads the attributes in front of an item: its doc text and the pairs of the one named `wanted`.
fn attributes(
    tokens: &mut std::iter::Peekable<impl Iterator<Item = TokenTree>>,
    wanted: &str,
) -> Result<(String, Pairs), String> {
    let (mut docs, mut pairs) = (Vec::new(), Vec::new());
    while matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == '#') {
        tokens.next();
        let Some(TokenTree::Group(group)) = tokens.next() else { return Err("malformed attribute".into()) };
        let mut inner = group.stream().into_iter();
        match inner.next().map(|t| t.to_string()).as_deref() {
            Some("doc") => {
                let text = inner.nth(1).map(|t| t.to_string()).unwrap_or_default();
                docs.push(text.trim_matches('"').trim().replace("\\\"", "\"").replace("\\'", "'"));
            }
            Some(word) if word == wanted => {
                let Some(TokenTree::Group(args)) = inner.next() else { return Err("attribute needs (..)".into()) };
                pairs = split(args.stream());
            }
            _ => {}
        }
    }
    Ok((docs.join("\n"), pairs))
}

fn split(stream: TokenStream) -> Pairs {
    let mut pairs = vec![(String::new(), String::new())];
    for token in stream {
        let text = token.to_string();
        let last = pairs.last_mut().expect("never empty");
        match text.as_str() {
            "," => pairs.push((String::new(), String::new())),
            "=" => last.0 = std::mem::take(&mut last.1),
            _ => last.1.push_str(&text),
        }
    }
    pairs
}
