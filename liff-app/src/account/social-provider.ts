/** Whether this page was left for Google or Facebook and is back now. */
export function isBackFromRedirect(): boolean {
  try {
    return sessionStorage.getItem('socialRedirect') !== null
  } catch {
    return false
  }
}
