import { createHash, timingSafeEqual } from 'node:crypto'

/** By which a front of ours (a load balancer, a CDN) proves that it hands a request on. */
export const FRONT_HEADER = 'x-front-secret'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether a request came through our own front; without a secret there is none to come through. */
export function isFromFront(given: string | undefined, secrets: readonly string[]): boolean {
  const written = digest(given ?? '')
  // Each is compared: how long it takes tells nothing.
  const equal = secrets.filter(secret => timingSafeEqual(written, digest(secret)))
  return secrets.length === 0 || equal.length > 0
}
