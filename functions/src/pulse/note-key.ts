import { pulseOfKey } from '../asking/keys.ts'
import type { Beat } from './pulse.ts'
import type { SecretName } from './secret-names.ts'

/** Keeps that one of several secrets was accepted, so that `npm run ops -- keys` tells when an old one may go. */
export async function noteKey(beat: Beat, variable: SecretName, all: readonly string[], secret: string): Promise<void> {
  if (all.length > 1) await beat(pulseOfKey(variable, secret), async () => {})
}
