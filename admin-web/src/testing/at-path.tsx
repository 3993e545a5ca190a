import { createQueryClient } from '@shop/web/query-client.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'

/** Draws a page at an address, with a query client of its own. */
export function AtPath({ path, children }: { path: string; children: ReactNode }) {
  const [queries] = useState(() => createQueryClient(0, 0))
  const [router] = useState(() => createMemoryRouter([{ path: '*', element: children }], { initialEntries: [path] }))
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} useTransitions={false} />
    </QueryClientProvider>
  )
}
