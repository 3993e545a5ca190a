/** Copies by a selection, for browsers inside other apps that refuse the clipboard. Returns false where that fails, too. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  // Otherwise a phone opens its keyboard and scrolls there.
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const before = document.activeElement
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus()
  }
}

/** Copies a text after a tap. @throws where the browser allows no way to do it */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch (error) {
    if (!copyBySelection(text)) throw error
  }
}
