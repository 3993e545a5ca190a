import { askJson } from '../../http/ask-json.ts'
import { type Finding, note, ok, type Patient, wrong } from './patient.ts'

const TIMEOUT_MS = 10_000
/** Under these, names of their own are sold: no two of them are one site. */
const SOLD_UNDER = /^(ac|co|com|go|in|net|or|org)\.\w\w$/

/** Whether browsers take two names for one site, which may know what the other one kept. */
function isOneSite(one: string, other: string): boolean {
  const [a, b] = [one, other].map(name => name.replace(/^www\./, '').split('.')) as [string[], string[]]
  const sharedOf = (from: number) => a.slice(from).join('.')
  const parent = a.length > 2 && !SOLD_UNDER.test(sharedOf(1)) ? sharedOf(1) : sharedOf(0)
  return b.join('.') === parent || b.join('.').endsWith(`.${parent}`)
}

/** @param script what the domain answers for the script of Firebase's page of return; null when it is silent */
export function judgeReturn(
  { authDomain, project, storefront }: { authDomain: string | null; project: string; storefront: string },
  script: { status: number; type: string } | null,
): Finding {
  if (authDomain === null || !isOneSite(storefront, authDomain))
    return note(
      `Google and Facebook lead back to ${authDomain ?? `${project}.firebaseapp.com`}, another site than ${storefront}: where a ` +
        'browser allows no popup, that sign-in is lost. If one of them is switched on, set VITE_FIREBASE_AUTH_DOMAIN as ' +
        'docs/operations/deploy.md says.',
    )
  if (script?.status === 200 && script.type.includes('javascript')) return ok(authDomain)
  return wrong(
    `VITE_FIREBASE_AUTH_DOMAIN: https://${authDomain}/__/auth/ is not answered by Firebase (${script ? `${script.status} ${script.type}`.trim() : 'no answer'}), ` +
      'so nobody comes back from Google or Facebook. Is the name a custom domain of a site in "Hosting"?',
  )
}

/** Looks whether people who signed in at Google or Facebook come back to the shop. */
export async function checkReturn({ config }: Patient): Promise<Finding> {
  const { authDomain, GCLOUD_PROJECT: project, STOREFRONT_URL } = config
  const reply = authDomain ? await askJson(`https://${authDomain}/__/auth/handler.js`, { timeoutMs: TIMEOUT_MS }) : null
  const script = reply && { status: reply.status, type: reply.headers.get('content-type') ?? '' }
  return judgeReturn({ authDomain, project, storefront: new URL(STOREFRONT_URL).hostname }, script)
}
