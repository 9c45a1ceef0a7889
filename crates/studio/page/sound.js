// The motion as sound: the acceleration-like part of a velocity, resampled. Motions below hearing are played faster.

const RATE = 44100;
const AUDIBLE = 220;

export class Sound {
  constructor() {
    this.context = null;
    this.source = null;
  }

  get playing() {
    return this.source !== null;
  }

  stop() {
    this.source?.stop();
    this.source = null;
  }

  /** Plays a velocity over time; says how many times faster than the motion. `period` is that of the motion, s. */
  play(t, v, period, ended) {
    this.stop();
    const whole = t[t.length - 1] - t[0];
    const frequency = period > 0 ? 1 / period : 10 / whole;
    const faster = frequency >= 60 && frequency <= 4000 ? 1 : AUDIBLE / frequency;
    const seconds = Math.min(6, Math.max(0.3, whole / faster));
    const from = t[t.length - 1] - seconds * faster;
    const samples = Math.floor(seconds * RATE);
    this.context ??= new AudioContext();
    const buffer = this.context.createBuffer(1, samples, RATE);
    const out = buffer.getChannelData(0);
    let mean = 0, peak = 0, k = 0;
    for (let i = 0; i < samples; i++) {
      const at = from + (i / RATE) * faster;
      while (k + 2 < t.length && t[k + 1] < at) k++;
      const width = t[k + 1] - t[k];
      const part = width > 0 ? Math.min(1, Math.max(0, (at - t[k]) / width)) : 0;
      out[i] = v[k] + part * (v[k + 1] - v[k]);
      mean += out[i] / samples;
    }
    for (let i = 0; i < samples; i++) peak = Math.max(peak, Math.abs((out[i] -= mean)));
    for (let i = 0; i < samples; i++) {
      const edge = Math.min(1, i / 2000, (samples - i) / 2000);
      out[i] *= peak > 0 ? (0.5 * edge) / peak : 0;
    }
    this.source = this.context.createBufferSource();
    this.source.buffer = buffer;
    this.source.connect(this.context.destination);
    this.source.onended = () => { this.source = null; ended(); };
    this.source.start();
    return faster;
  }
}
