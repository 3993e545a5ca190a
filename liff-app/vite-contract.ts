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
