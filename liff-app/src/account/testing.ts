import { listAccess } from '@shop/shared/account/access-endpoints.ts'
import { getMe } from '@shop/shared/account/endpoints.ts'
import { getWallet } from '@shop/shared/wallet/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { beforeEach } from 'vitest'
import { isRemembered } from '../remembered.ts'
import { read } from '../storage.ts'
import { startShopServer } from '../testing.tsx'
import { wallet } from '../wallet/testing.ts'

/** The shop's API, where whoever is remembered is signed in; a test adds the answers it is about. */
export function startServer() {
  const server = startShopServer()
  beforeEach(() => {
    sessionStorage.clear()
    history.replaceState(null, '', '/')
    server.use(
      fake(getMe, () => read('user', isRemembered)!),
      fake(getWallet, () => wallet),
      fake(listAccess, () => ({ keys: [], webhooks: [], links: [] })),
    )
  })
  return server
}
