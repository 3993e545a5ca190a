interface ImportMetaEnv {
  readonly VITE_FIREBASE_API_KEY?: string
  readonly VITE_FIREBASE_AUTH_DOMAIN?: string
  readonly VITE_FIREBASE_PROJECT_ID?: string
  /** Address of the Auth emulator, e.g. http://localhost:9099; unset in production. */
  readonly VITE_AUTH_EMULATOR_URL?: string
  /** `<LINE Login channel id>-<8 characters>`; without it the shop inside LINE is a plain web page. */
  readonly VITE_LIFF_ID?: string
  readonly VITE_LINE_CONTACT_URL?: string
  readonly VITE_ADMIN_URL?: string
}
