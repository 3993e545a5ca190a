export interface Help {
  url: string
  hours: string
}

/** The shop's LINE contact and when it is staffed. */
export const help: Help = {
  url: import.meta.env.VITE_LINE_CONTACT_URL,
  hours: 'ทุกวัน 8.00–24.00 น.',
}

/** Where staff work; no slash at the end. */
export const adminUrl = import.meta.env.VITE_ADMIN_URL

/** Inside LINE's LIFF browser; index.html decides before the first paint. */
export const inLiff = 'liff' in document.documentElement.dataset
