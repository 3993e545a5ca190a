import { AppError } from '@shop/shared/errors.ts'
import { QueryClient } from '@tanstack/react-query'

const RETRIES = 2
/** Only a server or network that is away is worth asking again. */
const mayPass = (error: Error) => error instanceof AppError && error.code === 'UNAVAILABLE'

/** The answers of the server; each is shown without asking again for `freshMs`. */
export function createQueryClient(freshMs: number, retries = RETRIES): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: freshMs, retry: (count, error) => count < retries && mayPass(error) },
      // Offline, a tap must fail in words instead of waiting silently.
      mutations: { networkMode: 'always' },
    },
  })
}
