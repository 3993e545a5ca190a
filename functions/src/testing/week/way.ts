import type { Thief } from './thief.ts'

/** One way to value that a person of the back office may try alone. */
export interface Way {
  /** What is tried, for who reads the table. */
  tries: string
  /** What would be taken. */
  takes: 'goods' | 'money on a wallet' | 'money sent' | 'nothing by itself'
  /** What holds it, in words. */
  control: string
  /** The test of that control: its file in functions/src or shared/src, and the beginning of its name. */
  test: readonly [file: string, name: string]
  /** What the shop answers where it stops it; null where nothing is refused. */
  refusal: string | null
  /** Whether it may bring something after days that it does not on the first. */
  ripens?: true
  /** Tries it once, as often as somebody would on one day. */
  run(thief: Thief): Promise<void>
}
