import { createFirebaseIdentity } from '../account/identity-provider.ts'
import { findAuthEmulator } from './share-auth-emulator.ts'

/** A sign-in at Firebase, as a browser holds it. */
export interface FirebaseSession {
  idToken: string
  refreshToken: string
  localId: string
  error?: { message: string }
}

export const claimsOf = ({ idToken }: Pick<FirebaseSession, 'idToken'>) =>
  JSON.parse(Buffer.from(idToken.split('.')[1]!, 'base64url').toString())

/** The Auth emulator with what browsers ask of it, and the shop's identity provider over it. */
export async function openTestFirebase() {
  const host = await findAuthEmulator()

  async function post(path: string, body: object): Promise<FirebaseSession> {
    const response = await fetch(`http://${host}/${path}?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ returnSecureToken: true, ...body }),
    })
    return (await response.json()) as FirebaseSession
  }
  const auth = (action: string, body: object) => post(`identitytoolkit.googleapis.com/v1/accounts:${action}`, body)

  /** Opens the last link that was mailed to an address; a `change` is added to it. */
  async function openMail(email: string, change = ''): Promise<void> {
    const codes = await fetch(`http://${host}/emulator/v1/projects/demo-shop/oobCodes`)
    const { oobCodes } = (await codes.json()) as { oobCodes: { email: string; oobLink: string }[] }
    await fetch(oobCodes.findLast(code => code.email === email)!.oobLink + change)
  }

  return {
    host,
    identity: createFirebaseIdentity({ projectId: 'demo-shop', emulatorHost: host }),
    auth,
    signUp: (email: string, password: string, displayName = 'Nid Dee') =>
      auth('signUp', { email, password, displayName }),
    signIn: (email: string, password: string) => auth('signInWithPassword', { email, password }),
    signInWithCustomToken: (token: string) => auth('signInWithCustomToken', { token }),
    /** The emulator renews tokens also after a revocation, as a slow or stolen client might still hold one. */
    async renew(session: FirebaseSession): Promise<FirebaseSession> {
      const body = { grant_type: 'refresh_token', refresh_token: session.refreshToken }
      const { id_token } = (await post('securetoken.googleapis.com/v1/token', body)) as never as { id_token: string }
      return { ...session, idToken: id_token }
    },
    /** Signs in with Google or Facebook as the emulator allows; with `idToken`, links to that person. */
    withIdp(provider: string, sub: string, email: string, idToken?: string) {
      const claims = JSON.stringify({ sub, email, email_verified: true, name: 'Nid Dee' })
      const field = provider === 'google.com' ? 'id_token' : 'access_token'
      const postBody = `providerId=${provider}&${field}=${encodeURIComponent(claims)}`
      return auth('signInWithIdp', { postBody, requestUri: 'http://localhost', ...(idToken && { idToken }) })
    },
    async verifyByMail({ idToken }: FirebaseSession, email: string): Promise<void> {
      await auth('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken })
      await openMail(email)
    },
    async resetByMail(email: string, newPassword: string): Promise<void> {
      await auth('sendOobCode', { requestType: 'PASSWORD_RESET', email })
      await openMail(email, `&newPassword=${encodeURIComponent(newPassword)}`)
    },
  }
}

export type TestFirebase = Awaited<ReturnType<typeof openTestFirebase>>

/** Tokens and revocations count in whole seconds: waits for the next one, so that "before" is before. */
export async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1000)
  while (Math.floor(Date.now() / 1000) === second) await new Promise(resolve => setTimeout(resolve, 20))
}
