/** Holds what a browser that stores nothing should keep, until the page is left. */
const unkept = new Map<string, string>()

export function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? unkept.get(key) ?? null
  } catch {
    return unkept.get(key) ?? null
  }
}

export function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    unkept.set(key, value)
  }
}

export function remove(key: string): void {
  unkept.delete(key)
  try {
    localStorage.removeItem(key)
  } catch {
    // The browser stores nothing, so there is nothing to remove.
  }
}
