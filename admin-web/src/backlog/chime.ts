import { read, remove, write } from '../browser-storage.ts'

const KEY = 'workChime'
const TONES_HZ = [880, 1175]
const TONE_SECONDS = 0.14

let context: AudioContext | null = null

/** Browsers play no sound before the page was touched, so a stored wish takes effect from then on. */
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

/** Tells whether this browser should ring; off by default. */
export const isChimeWanted = (): boolean => read(KEY) === 'on'

/** Stores the wish for the next visit. */
export const keepChimeWanted = (isWanted: boolean): void => (isWanted ? write(KEY, 'on') : remove(KEY))
