import type { ReactNode } from 'react'

type MarkedProvider = 'line' | 'google.com' | 'facebook.com'

/** Our own drawings for the providers; none of them is a provider's file. */
const MARKS: Record<MarkedProvider, ReactNode> = {
  line: (
    <>
      <path
        d="M12 3.2c5 0 9 3.1 9 7 0 3.6-4.6 7.4-8.6 10.1-.6.4-1 .1-.9-.5l.3-2.6C6.9 17.1 3 14.1 3 10.2c0-3.9 4-7 9-7z"
        fill="currentColor"
      />
      <path d="M8 10.3h.01M12 10.3h.01M16 10.3h.01" stroke="#06c755" strokeWidth="2.4" strokeLinecap="round" />
    </>
  ),
  'google.com': (
    <g fill="none" strokeWidth="3.6">
      <path d="M17.8 7.2A7.6 7.6 0 0 0 5.6 8" stroke="#d93025" />
      <path d="M5.6 8a7.6 7.6 0 0 0 0 8" stroke="#f2a600" />
      <path d="M5.6 16a7.6 7.6 0 0 0 11.6 1.6" stroke="#188038" />
      <path d="M17.2 17.6a7.6 7.6 0 0 0 2.4-5.6H12.4" stroke="#1a66d6" />
    </g>
  ),
  'facebook.com': (
    <>
      <circle cx="12" cy="12" r="10" fill="#1d5fd0" />
      <path
        d="M15.6 7.6h-1.4c-1.2 0-1.8.7-1.8 1.9V22M9.4 13h5.4"
        fill="none"
        stroke="#fff"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
    </>
  ),
}

/** The mark of a sign-in provider. Its name always stands beside it, so screen readers skip it. */
export const ProviderMark = ({ provider }: { provider: MarkedProvider }) => (
  <svg viewBox="0 0 24 24" width="24" height="24" className="flex-none" aria-hidden="true">
    {MARKS[provider]}
  </svg>
)
