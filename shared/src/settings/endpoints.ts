import * as z from 'zod'
import { ofVersion } from '../catalogue-version.ts'
import { endpoint } from '../endpoint.ts'
import { typed } from '../line.ts'
import { instant as time } from '../wire.ts'
import { OPTION_NAMES } from './option.ts'

const setOption = z.object({
  optionName: z.enum(OPTION_NAMES),
  optionValue: z.string(),
  updatedBy: z.string().nullable(),
  updatedByName: z.string().nullable(),
  updatedAt: time.nullable(),
})
export type SetOption = z.output<typeof setOption>

export const listOptions = endpoint({
  method: 'GET',
  path: '/romons.users/api/config',
  summary: 'Every option of the shop with who changed it last',
  allow: 'settings.manage',
  reply: z.array(setOption),
})

export const saveOption = endpoint({
  method: 'POST',
  path: '/romons.users/api/saveconfig',
  summary: 'Changes an option; what its readers may be told is on the storefront within ten seconds',
  allow: 'settings.manage',
  secondWord: 'runs',
  body: z.object({
    optionName: z.enum(OPTION_NAMES),
    optionValue: typed().max(2000),
    /** The value that the change is based on; if it differs now, the answer is CONFLICT with `details.current`. */
    fromValue: z.string().max(2000),
  }),
  reply: setOption,
  /** OPTION_INVALID: `fields.optionValue` names the allowed values. */
  errors: ['OPTION_INVALID', 'CONFLICT', 'FORBIDDEN', 'SECOND_WORD_NEEDED'],
})

const terms = z.object({ version: z.string(), body: z.string(), publishedAt: time })

export const getTerms = endpoint({
  method: 'GET',
  path: '/romons.configuration/api/terms',
  summary: 'The terms of service in force',
  allow: 'catalogue.browse',
  query: ofVersion,
  reply: terms,
})

export const listTerms = endpoint({
  method: 'GET',
  path: '/romons.configuration/api/terms/master',
  summary: 'Every version of the terms, newest first',
  allow: 'settings.manage',
  reply: z.array(terms.extend({ publishedByName: z.string().nullable(), acceptances: z.int() })),
})

export const publishTerms = endpoint({
  method: 'POST',
  path: '/romons.configuration/api/terms/save',
  summary: 'Publishes a new version; from now on buyers see and accept this one',
  allow: 'settings.manage',
  body: z.object({ body: typed().min(20).max(20_000), fromVersion: z.string() }),
  reply: terms,
  errors: ['CONFLICT'],
})
