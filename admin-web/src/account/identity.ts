/** The identity provider as far as this site uses it; loaded only when somebody's session matters. */
export interface Identity {
  /** Hears who is signed in: once when known, then at every change; null is nobody. */
  onUser(listener: (uid: string | null) => void): void
  /** A fresh ID token; null when nobody is signed in. */
  getToken(): Promise<string | null>
  /** Throws SignInError. */
  signInWithPassword(email: string, password: string): Promise<void>
  /** Throws SignInError. `emailHint` preselects the account. */
  signInWithGoogle(emailHint: string): Promise<void>
  signOut(): Promise<void>
  /** Proves that the signed-in person knows their password; the token says so for a while. Throws SignInError. */
  proveAgain(password: string): Promise<void>
  /** Sends the signed-in person the link that verifies their email. Throws SignInError. */
  sendVerificationEmail(): Promise<void>
}

/** A refused sign-in; `message` is the Thai text to show, empty when the person gave up by themselves. */
export class SignInError extends Error {}

export const WRONG_LOGIN = 'อีเมลหรือรหัสผ่านไม่ถูกต้อง'
