/**
 * What differs between deployments and is built into the sites. The values serve development and tests only: a build
 * without its site's variables fails.
 */
export const DEVELOPMENT_VARIABLES = {
  VITE_FIREBASE_PROJECT_ID: 'demo-shop',
  VITE_FIREBASE_API_KEY: 'demo-key',
  VITE_STOREFRONT_URL: 'http://localhost:5173',
  VITE_ADMIN_URL: 'http://localhost:5174',
}
export type SiteVariable = keyof typeof DEVELOPMENT_VARIABLES

type Variables = Readonly<typeof DEVELOPMENT_VARIABLES>

declare global {
  interface ImportMetaEnv extends Variables {
    /** Where Google and Facebook come back to; without it the project's own domain. */
    readonly VITE_FIREBASE_AUTH_DOMAIN?: string
    /** Address of the Auth emulator, e.g. http://localhost:9099; unset in production. */
    readonly VITE_AUTH_EMULATOR_URL?: string
    /** `<LINE Login channel id>-<8 characters>`; without it the shop inside LINE is a plain web page. */
    readonly VITE_LIFF_ID?: string
  }
}
