/** Sign-ins of other sites that the identity provider handles itself. */
export type SocialProvider = 'google.com' | 'facebook.com'

export const SOCIAL_NAMES: Record<SocialProvider, string> = { 'google.com': 'Google', 'facebook.com': 'Facebook' }

/** Whether this page was left for Google or Facebook and is back now. */
export function isBackFromRedirect(): boolean {
  try {
    return sessionStorage.getItem('socialRedirect') !== null
  } catch {
    return false
  }
}
