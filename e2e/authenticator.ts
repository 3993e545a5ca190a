import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

const STEP_MS = 30_000
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map(letter => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)!.map(byte => Number.parseInt(byte, 2)))
}

/** The six digits of a step of time, by RFC 6238. */
function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.at(-1)! & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

/** The app on somebody's phone. A code works once, so each is another: it waits until the server takes the next. */
export function createAuthenticator(base32: string): { next(): Promise<string>; wrong(): string } {
  const secret = bytesOf(base32)
  let used = 0
  const now = () => Math.floor(Date.now() / STEP_MS)
  return {
    async next() {
      used = Math.max(used + 1, now())
      // The server takes the codes of one step before and after its own.
      const early = (used - 1) * STEP_MS - Date.now()
      if (early > 0) await setTimeout(early)
      return codeAt(secret, used)
    },
    wrong: () => String((Number(codeAt(secret, now())) + 1) % 1_000_000).padStart(6, '0'),
  }
}
