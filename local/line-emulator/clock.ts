/** LINE's clock: the machine's clock plus an offset that tests and the demo can set. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  nowSeconds(): number
  offsetSeconds(): number
  setOffset(seconds: number): void
}

export function createClock(machineNow: () => number = Date.now): Clock {
  let offset = 0
  const now = () => machineNow() + offset * 1000
  return {
    now,
    nowSeconds: () => Math.floor(now() / 1000),
    offsetSeconds: () => offset,
    setOffset: seconds => {
      offset = seconds
    },
  }
}
