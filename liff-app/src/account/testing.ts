import { getMe } from '@shop/shared/account/endpoints.ts'
import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { getWallet } from '@shop/shared/wallet/endpoints.ts'
import { fake, startServer as startAnyServer } from '@shop/web/testing.tsx'
import { beforeEach } from 'vitest'
import { isRemembered } from '../remembered.ts'
import { read, removeAll } from '../storage.ts'
import { shopConfig } from '../testing.tsx'
import { wallet } from '../wallet/testing.ts'

/** The shop's API, where whoever is remembered is signed in; a test adds the answers it is about. */
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
