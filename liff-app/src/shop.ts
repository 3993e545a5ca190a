/** The address of the admin site, without a slash at the end. */
export const adminUrl = import.meta.env.VITE_ADMIN_URL

/** Whether the shop runs inside LINE; index.html finds that out before the first paint. */
export const inLiff = 'liff' in document.documentElement.dataset
