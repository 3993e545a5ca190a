import { getMe, type Me, syncAccount } from '@shop/shared/account/endpoints.ts'
import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import type { EndpointShape, Reply } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { type Identity, SignInError, WRONG_LOGIN } from '../account/identity.ts'
import { createSession } from '../account/session.ts'
import { Site } from '../site.tsx'

const BASE_URL = location.origin
export const PASSWORD = 'demo-1234'

/** The API as far as a test needs it; an unexpected call fails the test. */
export const server = setupServer()

/** A fake of one call of the contract: path and method come from it, `answer` gives the reply or throws AppError. */
export function fake<E extends EndpointShape>(endpoint: E, answer: (body: unknown, url: URL) => Reply<E>) {
  const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  return http[method](BASE_URL + endpoint.path, async ({ request }) => {
    const sent = endpoint.body ? await request.json() : undefined
    try {
      const reply = answer(endpoint.callable ? (sent as { data: unknown }).data : sent, new URL(request.url))
      return HttpResponse.json((endpoint.callable ? { result: reply } : reply) as object)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const details = error.toBody()
      return HttpResponse.json(endpoint.callable ? { error: { details } } : details, { status: error.status })
    }
  })
}

export const staff: Me = {
  uid: 'u-staff',
  username: 'staff',
  providers: ['password'],
  name: 'มานี',
  surname: 'พนักงาน',
  displayName: 'มานี พนักงาน',
  tel: null,
  email: 'staff@demo.shop',
  emailVerified: true,
  reward: 0,
  createdDate: '2026-11-01T00:00:00.000Z',
  isActived: true,
  role: 'staff',
  roleName: 'พนักงาน',
  isPasswordChange: true,
  isPinChange: true,
  hasWallet: false,
}

/** An identity provider with one account, whose password is PASSWORD. */
function fakeIdentity(isSignedIn: boolean): Identity {
  let uid = isSignedIn ? staff.uid : null
  const listeners: ((uid: string | null) => void)[] = []
  const become = (next: string | null) => {
    uid = next
    for (const listener of listeners) listener(uid)
  }
  return {
    onUser: listener => {
      listeners.push(listener)
      listener(uid)
    },
    getToken: async () => uid && `token-of-${uid}`,
    signInWithPassword: async (_, password) => {
      if (password !== PASSWORD) throw new SignInError(WRONG_LOGIN)
      become(staff.uid)
    },
    signInWithGoogle: async () => become(staff.uid),
    signOut: async () => become(null),
    proveAgain: async () => undefined,
    sendVerificationEmail: async () => undefined,
  }
}

/** The whole site at `path`, for `me` who is signed in already or will sign in. */
export function renderSite(options: { path: string; me?: Me; isSignedIn?: boolean }) {
  const { path, me = staff, isSignedIn = true } = options
  server.use(
    fake(syncAccount, () => me),
    fake(getMe, () => me),
    fake(listGames, () => []),
  )
  const session = createSession({ loadIdentity: async () => fakeIdentity(isSignedIn), baseUrl: BASE_URL })
  session.start()
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const router = createMemoryRouter([{ path: '*', element: <Site session={session} /> }], { initialEntries: [path] })
  return render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}
