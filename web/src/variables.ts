/**
 * The variables that differ between deployments and are built into the sites. These values are for development and
 * tests only: a build without its variables fails.
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
    /** The domain to which Google and Facebook lead back; without it the project's own. */
    readonly VITE_FIREBASE_AUTH_DOMAIN?: string
    /** The address of the Auth emulator, e.g. http://localhost:9099; unset in production. */
    readonly VITE_AUTH_EMULATOR_URL?: string
    /** `<LINE Login channel id>-<8 characters>`; without it the shop inside LINE is a plain web page. */
    readonly VITE_LIFF_ID?: string
  }
}
