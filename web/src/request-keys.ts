/**
 * Gives each request its idempotency key: the same request, as long as it has had no answer, keeps its key, so that
 * trying again after a lost connection can't do it twice.
 */
export function createRequestKeys() {
  let kept: { key: string; request: string } | null = null
  return {
    getKey(request: unknown): string {
      const text = JSON.stringify(request)
      if (kept?.request !== text) kept = { key: crypto.randomUUID(), request: text }
      return kept.key
    },
    /** The server answered, either way: the next request is a new one. */
    endRequest(): void {
      kept = null
    },
  }
}
