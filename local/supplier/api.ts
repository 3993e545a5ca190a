import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from './faults.ts'
import type { Booked, Register } from './register.ts'

/** A call as the stand-in received it. */
export interface Call {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The fields of the query and of the form. */
  params: Record<string, string>
  /** The fields of a body in JSON. */
  json: Record<string, unknown>
}

/** An answer, or what happens instead of it. */
export type Answer = { status: number; body: object } | 'hang' | 'reset' | 'html' | 'cut'

/** What the shop gets from every supplier when a fault keeps a purchase from being booked. */
export const REFUSED_BY_ANY = { hangBefore: 'hang', resetBefore: 'reset' } satisfies Partial<Record<Fault, Answer>>
/** What the shop gets from every supplier when a purchase is booked but a fault hides that from the shop. */
export const HIDDEN_BY_ANY = {
  hangAfter: 'hang',
  notFoundTwice: 'hang',
  lost: 'hang',
  unknownStatus: 'reset',
  reset: 'reset',
  html: 'html',
  cut: 'cut',
} satisfies Partial<Record<Fault, Answer>>

/** A report to the shop about a purchase. */
export interface Callback {
  headers: Record<string, string>
  body: string
}

/** What a supplier's API is made from. */
export interface Site {
  register: Register
  now: () => Date
  /** Sends callbacks to the shop, one after the other. */
  tell: (...callbacks: Callback[]) => Promise<void>
}

/** One supplier's API as the stand-in speaks it. */
export interface Api {
  /** The configuration with which the shop's server buys here. */
  environmentAt(origin: string): Record<string, string>
  /** Whether a path belongs to the supplier's API. */
  matches(path: string): boolean
  /** Our reference in a call; null when it names none. */
  referenceOf(call: Call): string | null
  answer(call: Call): Promise<Answer> | Answer
  /**
   * Returns the callback about a purchase in its current state; null from a supplier that sends none. @param change how a
   * fault falsifies it
   */
  callbackOf(booked: Booked, change?: 'forged' | 'outdated'): Callback | null
}
