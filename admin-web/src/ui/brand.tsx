export const SITE_NAME = 'คราม หลังร้าน'

/** The shop's logo, without its name. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 28 28" width="26" height="26" aria-hidden="true">
      <rect width="28" height="28" rx="8" fill="#2347c5" />
      <path d="M14 5.5c3.8 4.3 6.3 7.4 6.3 10.7a6.3 6.3 0 0 1-12.6 0C7.7 12.9 10.2 9.8 14 5.5z" fill="#fff" />
      <path d="M10.6 16.4a3.4 3.4 0 0 0 3.4 3.4" stroke="#2347c5" strokeWidth="1.7" strokeLinecap="round" fill="none" />
    </svg>
  )
}
