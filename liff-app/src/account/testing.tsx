import { getMe, type Me } from '@shop/shared/account/endpoints.ts'
import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { getWallet } from '@shop/shared/wallet/endpoints.ts'
import { fake, person, startServer as startAnyServer } from '@shop/web/testing.tsx'
import type { ReactNode } from 'react'
import { beforeEach } from 'vitest'
import { isRemembered } from '../remembered.ts'
import { read, removeAll } from '../storage.ts'
import { shopConfig } from '../testing.tsx'
import { ToastProvider } from '../ui/toast.tsx'
import { wallet } from '../wallet/testing.ts'
import { SessionProvider } from './session.tsx'

export const customer = person
export const agent: Me = { ...person, role: 'agent', roleName: 'ตัวแทน', hasWallet: true }

/** The shop's API, where whoever is remembered is signed in; a test adds what it is about. */
export function startServer() {
  const server = startAnyServer()
  beforeEach(() => {
    removeAll()
    sessionStorage.clear()
    history.replaceState(null, '', '/')
    server.use(
      fake(getMe, () => read('user', isRemembered)!),
      fake(getPublicConfig, () => shopConfig()),
      fake(getWallet, () => wallet),
    )
  })
  return server
}

/** What every screen of the shop stands in. */
export const InShop = ({ children }: { children: ReactNode }) => (
  <ToastProvider>
    <SessionProvider>{children}</SessionProvider>
  </ToastProvider>
)
