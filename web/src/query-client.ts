import { AppError } from '@shop/shared/errors.ts'
import { QueryClient } from '@tanstack/react-query'

const RETRIES = 2
/** Whether another try may help, because the server or the network is away. */
const mayPass = (error: Error) => error instanceof AppError && error.status === 503

/** Makes the cache for the server's answers. Each is used for `freshMs` before it is read again. */
export function createQueryClient(freshMs: number, retries = RETRIES): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: freshMs, retry: (count, error) => count < retries && mayPass(error) },
      // Offline, a tap must fail in words instead of waiting silently.
      mutations: { networkMode: 'always' },
    },
  })
}
