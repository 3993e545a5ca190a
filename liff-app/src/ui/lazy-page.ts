import { type ComponentType, lazy } from 'react'

/** The specification's limit for loading a part of the code. */
const CHUNK_TIMEOUT_MS = 120_000

/** Code that neither arrives nor fails counts as lost in the end, so that the page says so and offers to try again. */
export function withinLimit<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the code of a page did not arrive')), CHUNK_TIMEOUT_MS)
    load()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

/** A page whose code is loaded when it is first opened. */
export const lazyPage = <C extends ComponentType>(load: () => Promise<{ default: C }>) => lazy(() => withinLimit(load))
