import { useRef } from 'react'

/** Idempotency keys: trying the same thing again keeps its key, anything else gets a new one. */
export function useOnceKey(): (body: unknown) => string {
  const last = useRef({ text: '', key: '' })
  return body => {
    const text = JSON.stringify(body)
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() }
    return last.current.key
  }
}
