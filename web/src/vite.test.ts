// @vitest-environment node
import { setUserRole } from '@shop/shared/account/endpoints.ts'
import { createAgentUser } from '@shop/shared/agent/endpoints.ts'
import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { V1_ENDPOINTS } from '@shop/shared/reseller/v1-endpoints.ts'
import { resolveConfig } from 'vite'
import { expect, test, vi } from 'vitest'
import { isOwnDomain, listApiPaths, requireFramed, siteVariables } from './vite.ts'

test('calls of every kind reach the server, pages do not', async () => {
  const paths = await listApiPaths()
  const isPassedOn = (path: string) => paths.some(beginning => path.startsWith(beginning))
  for (const { path } of [setUserRole, createAgentUser, listGames, ...V1_ENDPOINTS])
    expect(isPassedOn(path), path).toBe(true)
  for (const path of ['/', '/game/rov', '/user/u1', '/management/user']) expect(isPassedOn(path), path).toBe(false)
})

const resolve = (command: 'build' | 'serve') =>
  resolveConfig({ configFile: false, envDir: '/nowhere', plugins: [siteVariables('VITE_ADMIN_URL')] }, command)

test('a build without a variable fails and names it; development has a value', async () => {
  vi.stubEnv('VITE_ADMIN_URL', undefined)
  await expect(resolve('build')).rejects.toThrow('VITE_ADMIN_URL')
  expect((await resolve('serve')).define).toEqual({ 'import.meta.env.VITE_ADMIN_URL': '"http://localhost:5174"' })
})

test('a build with a sign-in domain of its own needs a policy that lets the site show it', () => {
  for (const folder of ['liff-app', 'admin-web']) {
    expect(() => requireFramed('my-shop.firebaseapp.com', folder)).not.toThrow()
    expect(() => requireFramed('auth.shop.example', folder)).toThrow('https://auth.shop.example in frame-src')
    expect(() => requireFramed('evil-firebaseapp.com', folder)).toThrow('frame-src')
  }
})

test("the storefront's own domain needs no name in its policy; the back office shows it as another's", () => {
  expect(isOwnDomain('shop.example', 'liff-app', 'https://shop.example')).toBe(true)
  expect(isOwnDomain('shop.example', 'admin-web', 'https://shop.example')).toBe(false)
  expect(isOwnDomain('auth.shop.example', 'liff-app', 'https://shop.example')).toBe(false)
})
