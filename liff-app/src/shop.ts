/** Where staff work; no slash at the end. */
export const adminUrl = import.meta.env.VITE_ADMIN_URL

/** Inside LINE's LIFF browser; index.html decides before the first paint. */
export const inLiff = 'liff' in document.documentElement.dataset
