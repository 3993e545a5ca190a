import type { Me } from '@shop/shared/account/endpoints.ts'
import { CHANGE_ID, type EndpointShape, type Reply } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { HttpResponse, type HttpResponseResolver, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

export { setupServer }

/** Starts the API that a test file needs, and ends it afterwards. A call that no fake answers makes the test fail. */
export function startServer(server = setupServer()) {
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
  return server
}

/** Of what Testing Library is told. */
interface Looking {
  asyncUtilTimeout: number
  getElementError(message: string | null, container: Element): Error
}

/** How tests look for what is on a page. */
export function lookingBy(getConfig: () => Looking): Looking {
  const { getElementError } = getConfig()
  return {
    // A machine that is busy with other tests may take seconds for what usually takes a moment.
    asyncUtilTimeout: 30_000,
    // What is waited for is looked for at each change. Printing the page each time in vain took a tenth of the time.
    getElementError: (message, container) =>
      (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics
        ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
        : getElementError(message, container),
  }
}

/** The id that every fake names as that of the change it made. */
export const CHANGE = '01a1f903-cccc-7b09-91c6-3c32c32ef1e7'

/**
 * Fakes one call of the contract, with its path and method. `answer` gives the reply or throws an AppError. With `once`
 * only one call is answered, and the fake before it answers the others.
 */
export function fake<E extends EndpointShape>(
  endpoint: E,
  answer: (body: unknown, url: URL, headers: Headers) => Reply<E> | Promise<Reply<E>>,
  options: { once?: boolean } = {},
) {
  const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  const answerCall: HttpResponseResolver = async ({ request }) => {
    const sent = endpoint.body ? await request.json() : undefined
    const given = endpoint.callable ? (sent as { data: unknown }).data : sent
    try {
      const reply = await answer(given, new URL(request.url), request.headers)
      if (reply instanceof Blob) return new HttpResponse(reply)
      const headers = { [CHANGE_ID]: CHANGE }
      return HttpResponse.json((endpoint.callable ? { result: reply } : reply) as object, { headers })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const details = error.toBody()
      return HttpResponse.json(endpoint.callable ? { error: { details } } : details, { status: error.status })
    }
  }
  return http[method](`*${endpoint.path}`, answerCall, options)
}

/** The answer of a call that the server refuses. */
export const refuse =
  (...how: ConstructorParameters<typeof AppError>) =>
  (): never => {
    throw new AppError(...how)
  }

/** A customer with a password and an address, who need not change anything. */
export const person: Me = {
  uid: 'u1',
  username: 'namkhao',
  providers: ['password'],
  name: 'น้ำข้าว',
  surname: 'ใจดี',
  displayName: 'น้ำข้าว ใจดี',
  tel: '+66812345678',
  email: 'namkhao@example.com',
  emailVerified: true,
  reward: 0,
  createdDate: '2026-01-01T00:00:00.000Z',
  isActived: true,
  role: 'customer',
  roleName: 'ลูกค้า',
  mustChangePassword: false,
  mustChangePin: false,
  hasWallet: false,
}
