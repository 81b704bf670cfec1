let audio: AudioContext | undefined;

/** Makes sound possible. Browsers allow it only after the person has touched or typed something. */
export function prepareSound(): void {
  if (typeof AudioContext !== 'function') return;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') void audio.resume().catch(() => undefined);
}

/** The tones of a paid sale: how high (Hz), and when each begins (seconds). */
const TONES = [
  [880, 0],
  [1_318.5, 0.14],
] as const;
const TONE_SECONDS = 0.32;

/** Plays two rising tones, if the browser allows it. */
export function playPaid(): void {
  if (audio?.state !== 'running') return;
  for (const [frequency, begins] of TONES) {
    const at = audio.currentTime + begins;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.4, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + TONE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + TONE_SECONDS);
  }
}
