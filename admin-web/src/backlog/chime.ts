const KEY = 'workChime'
const TONES_HZ = [880, 1175]
const TONE_SECONDS = 0.14

let context: AudioContext | null = null

/** Browsers play nothing before somebody touched the page: a wish that was kept is honoured from then on. */
export function openChime(): void {
  context ??= new AudioContext()
  void context.resume()
}

/** Two short notes; silent where the browser does not allow them. */
export function ringChime(): void {
  if (context?.state !== 'running') return
  for (const [index, frequency] of TONES_HZ.entries()) {
    const [tone, volume] = [context.createOscillator(), context.createGain()]
    const start = context.currentTime + index * TONE_SECONDS
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.12, start)
    volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS)
    tone.connect(volume).connect(context.destination)
    tone.start(start)
    tone.stop(start + TONE_SECONDS)
  }
}

/** Whether this browser is to ring; off until somebody says so. */
export function isChimeWanted(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on'
  } catch {
    return false
  }
}

/** Kept for the next visit; a browser without storage only forgets. */
export function keepChimeWanted(isWanted: boolean): void {
  try {
    if (isWanted) localStorage.setItem(KEY, 'on')
    else localStorage.removeItem(KEY)
  } catch {
    // Private mode.
  }
}
