import {
  getMe,
  getTotp,
  type Link,
  listLinks,
  type Me,
  syncAccount,
  type TotpState,
} from '@shop/shared/account/endpoints.ts'
import { getBacklog, getToday } from '@shop/shared/backlog/endpoints.ts'
import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { getUnfinished } from '@shop/shared/health/endpoints.ts'
import { listWaitingFiles } from '@shop/shared/statement/import-endpoints.ts'
import { getSupplier } from '@shop/shared/supplier/endpoints.ts'
import { fake, person, setupServer } from '@shop/web/testing.tsx'
import { render } from '@testing-library/react'
import { ConfigProvider } from 'antd'
import { createSession, type Provider } from '../account/session.tsx'
import { Site } from '../site.tsx'
import { AtPath } from './at-path.tsx'

export const PASSWORD = 'demo-1234'

/** The fake API, to which tests add their answers; test-setup.ts starts it for each file. */
export const server = setupServer()

export const staff: Me = { ...person, uid: 'u-staff', displayName: 'มานี พนักงาน', role: 'staff', roleName: 'พนักงาน' }

/** An identity provider with one account, whose password is PASSWORD. */
function fakeProvider(isSignedIn: boolean): Provider {
  let uid = isSignedIn ? staff.uid : null
  const listeners: ((uid: string | null) => void)[] = []
  const become = (next: string | null) => {
    uid = next
    for (const listener of listeners) listener(uid)
  }
  const check = (password: string) => {
    if (password !== PASSWORD) throw Object.assign(new Error(), { code: 'auth/invalid-credential' })
  }
  return {
    onUser: listener => {
      listeners.push(listener)
      listener(uid)
    },
    getToken: async () => uid && `token-of-${uid}`,
    signInWithPassword: async (_, password) => {
      check(password)
      become(staff.uid)
    },
    signInWithGoogle: async () => become(staff.uid),
    signOut: async () => become(null),
    proveWithPassword: async password => check(password),
    sendVerificationEmail: async () => undefined,
    sendPasswordReset: async () => undefined,
  }
}

const noSupplier = { suppliers: [], waitingOrders: 0, unclearOrderNos: [] as string[] }

const noTotp: TotpState = { isRequired: false, isEnrolled: false, isConfirmed: false }

/** Without antd's thousands of styles, which took most of a test's time; test-setup.ts has the one that hides things. */
const WITHOUT_STYLES = { zeroRuntime: true }

/** Draws the whole site at `path` for `me`, who is signed in already or will sign in. */
export function renderSite(options: {
  path: string
  me?: Me
  isSignedIn?: boolean
  totp?: TotpState
  /** The ways to sign in of the account that the test looks at. */
  links?: Link[]
}) {
  const { path, me = staff, isSignedIn = true, totp = noTotp, links = [] } = options
  server.use(
    fake(syncAccount, () => me),
    fake(getMe, () => me),
    fake(getTotp, () => totp),
    fake(listGames, () => []),
    fake(getBacklog, () => ({
      waiting: {},
      statements: [],
      deadCalls: 0,
      openingHours: '',
      nowDate: '2026-11-20T07:00:00.000Z',
    })),
    fake(getToday, () => ({ sales: null, own: null, news: [], nowDate: '2026-11-20T07:00:00.000Z' })),
    fake(getUnfinished, () => ({
      charges: [],
      jobs: [],
      counts: { charges: 0, jobs: 0 },
      nowDate: '2026-11-20T07:00:00.000Z',
    })),
    fake(getSupplier, () => noSupplier),
    fake(listWaitingFiles, () => []),
    fake(listLinks, () => links),
  )
  const session = createSession(async () => fakeProvider(isSignedIn))
  session.start()
  return render(
    <AtPath path={path}>
      <ConfigProvider theme={WITHOUT_STYLES}>
        <Site session={session} />
      </ConfigProvider>
    </AtPath>,
  )
}
