import { createClient } from '@shop/shared/client.ts'
import { AppError } from '@shop/shared/errors.ts'
import { QueryClient } from '@tanstack/react-query'

/** The typed client that sends the signed-in person's token; a refused token ends the session. */
export function createApi(options: {
  baseUrl?: string
  getToken: () => Promise<string | null>
  onRefusedToken: (error: AppError) => void
}) {
  return createClient({
    baseUrl: options.baseUrl ?? '',
    headers: async (): Promise<Record<string, string>> => {
      const token = await options.getToken()
      return token ? { authorization: `Bearer ${token}` } : {}
    },
    onUnauthenticated: options.onRefusedToken,
  })
}

/** Refusals are final; only a server that can't be reached is asked again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 2 && (!(error instanceof AppError) || error.status >= 500),
        staleTime: 2000,
      },
    },
  })
}
