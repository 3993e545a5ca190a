import type { Plugin } from 'vite'

const SUMMARY = /^\s*summary:\s*(['"`]).*\1,$/gm

/** Leaves out of the build what only the API's own documentation says of each call: a kilobyte of every first visit. */
export const withoutSummaries: Plugin = {
  name: 'without-summaries',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]shared[\\/]src[\\/]\w+[\\/]endpoints\.ts$/ },
    handler: code => ({ code: code.replace(SUMMARY, ''), map: null }),
  },
}

const STAFF_TEXT = /\[\s*(\d{3}),\s*(['"`]).*\2,?\s*\]/g

/** Leaves out what only staff are told: the server sends the words with each failure. */
export const withoutStaffTexts: Plugin = {
  name: 'without-staff-texts',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]shared[\\/]src[\\/]staff-errors\.ts$/ },
    handler: code => ({ code: code.replace(STAFF_TEXT, "[$1, '']"), map: null }),
  },
}
