/**
 * Gives each request its idempotency key. As long as it has had no answer, the same request keeps its key, so that
 * another try after a lost connection can't be carried out twice.
 */
export function createRequestKeys() {
  let kept: { key: string; request: string } | null = null
  return {
    getKey(request: unknown): string {
      const text = JSON.stringify(request)
      if (kept?.request !== text) kept = { key: crypto.randomUUID(), request: text }
      return kept.key
    },
    /** To be called when the server has answered, so that the next request is a new one. */
    endRequest(): void {
      kept = null
    },
  }
}
