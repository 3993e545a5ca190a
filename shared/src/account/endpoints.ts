import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { ROLES } from '../permissions.ts'
import { instant, many, page, paging, satang } from '../wire.ts'
import { CHANGE_ERRORS, kept } from './access-endpoints.ts'
import { LINKABLE, SIGN_IN_PROVIDERS, SOCIAL_PROVIDERS } from './account.ts'
import { code, name, password, phone, username } from './fields.ts'

export const uid = z.string().min(1).max(128)
const role = z.enum(ROLES)
/** true active, false inactive, null pending. */
const isActived = z.boolean().nullable()

/** A person as the apps know them. */
export const me = z.object({
  uid: z.string(),
  username: z.string(),
  /** Ways to sign in, as SIGN_IN_PROVIDER names them. */
  providers: z.array(z.string()),
  name: z.string(),
  surname: z.string(),
  displayName: z.string(),
  /** E.164; `showPhone` gives the local form. */
  tel: z.string().nullable(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  reward: z.int(),
  createdDate: instant,
  isActived,
  role,
  roleName: z.string(),
  /** Staff gave the password or the PIN; everything else is closed until the owner has changed it. */
  mustChangePassword: z.boolean(),
  mustChangePin: z.boolean(),
  hasWallet: z.boolean(),
})
export type Me = z.output<typeof me>

export const syncAccount = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/sync',
  summary: 'Records a registration or sign-in; uid, email and providers come from the token and its issuer',
  allow: 'account.sync',
  body: z.object({
    /** Of a new account only, and more than blanks; what is left out is typed in the profile when somebody wants it. */
    username: username.min(1).optional(),
    name: name.min(1).optional(),
    surname: name.min(1).optional(),
    tel: phone.optional(),
  }),
  reply: me,
  errors: ['PHONE_INVALID', 'ACCOUNT_INACTIVE', 'SIGN_IN_THEN_LINK', 'SESSION_REVOKED'],
})

export const getMe = endpoint({
  method: 'GET',
  path: '/romons.users/api/user/me',
  summary: 'The signed-in account',
  allow: 'account.own',
  reply: me,
  errors: ['NOT_FOUND'],
})

const userQuery = z.object({
  ...paging,
  /** Part of the username, name, surname or email, or a whole phone number or LINE id. */
  name: line(100).optional(),
  roles: many(role),
})

export const searchUsers = endpoint({
  method: 'GET',
  path: '/romons.users/api/user/search',
  summary: 'Accounts, newest first; `total` stops counting at 1,001',
  allow: 'account.list',
  query: userQuery,
  reply: page(
    me.extend({
      /** Of the last 1,000 orders: how many there are, and what the delivered ones cost. */
      orders: z.int(),
      spentSatang: satang,
      lastOrderAt: instant.nullable(),
    }),
  ),
})
export type ListedUser = z.output<typeof searchUsers.reply>['rows'][number]

export const getUser = endpoint({
  method: 'GET',
  path: '/romons.users/api/user/:uid',
  summary: 'One account: the caller’s own, or any for staff',
  allow: 'account.own',
  params: z.object({ uid }),
  reply: me,
  errors: ['NOT_FOUND'],
})

/**
 * The server sets the password itself, so that "changed" is a fact and not a claim. The caller must have signed in
 * within the last five minutes (else RECENT_SIGN_IN_REQUIRED: sign in with the old password and call again). Every
 * session ends with it, this one too: sign in with the new password afterwards.
 */
export const changePassword = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/changepassword',
  summary: 'Changes the caller’s own password; all sessions end',
  allow: 'account.own',
  body: z.object({ password, keep: kept.optional() }),
  reply: me,
  errors: ['RECENT_SIGN_IN_REQUIRED', 'PASSWORD_SAME', 'NO_PASSWORD_SIGN_IN', 'WEAK_PASSWORD', ...CHANGE_ERRORS],
})

export const acceptTerms = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/terms',
  summary: 'Records that the caller accepted a version of the terms; a repeat keeps the first time',
  allow: 'terms.accept',
  body: z.object({ version: z.string().min(1).max(20) }),
  reply: z.object({ version: z.string(), acceptedAt: instant }),
  errors: ['TERMS_CHANGED', 'RATE_LIMITED'],
})

export const getAcceptedTerms = endpoint({
  method: 'GET',
  path: '/romons.users/api/user/terms',
  summary: 'The version of the terms that the caller accepted last; null when they accepted none',
  allow: 'terms.accept',
  reply: z.object({ version: z.string().nullable() }),
})

/** Open `authorizeUrl` in the same browser and keep `attempt` in localStorage until LINE comes back to /login. */
export const startLineSignIn = endpoint({
  method: 'POST',
  path: '/romons.users/api/line/start',
  summary: 'Begins a sign-in with LINE on the web',
  allow: 'account.signIn',
  reply: z.object({ authorizeUrl: z.url(), attempt: z.string() }),
  errors: ['LINE_UNAVAILABLE', 'RATE_LIMITED'],
})

/** The proof from LINE: LIFF's ID token, or the code of the web flow with its attempt. */
const lineProof = z.union([
  z.object({ idToken: z.string().min(1).max(4000) }),
  z.object({
    code: z.string().min(1).max(500),
    state: z.string().min(1).max(100),
    attempt: z.string().min(1).max(100),
  }),
])
export type LineProof = z.output<typeof lineProof>

const lineErrors = ['SIGN_IN_FAILED', 'SIGN_IN_REPLAYED', 'LINE_UNAVAILABLE'] as const

/** Trusts what LINE signed and nothing else: a name, email or id in the body is ignored. */
export const createCustomToken = endpoint({
  method: 'POST',
  path: '/createCustomToken',
  summary: 'Exchanges a proof from LINE for a Firebase custom token',
  allow: 'account.signIn',
  callable: true,
  body: lineProof,
  reply: z.object({ firebaseToken: z.string() }),
  errors: [...lineErrors, 'EMAIL_IN_USE', 'ACCOUNT_INACTIVE', 'LINE_NOT_ALLOWED'],
})

export const linkLine = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/link/line',
  summary: 'Lets a LINE identity sign in to the caller’s account; the caller must have signed in within five minutes',
  allow: 'account.link',
  body: lineProof,
  reply: me,
  errors: [...lineErrors, 'ALREADY_LINKED', 'EMAIL_UNPROVEN', 'RECENT_SIGN_IN_REQUIRED'],
})

export const startLink = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/link/start',
  summary:
    'Announces that the caller adds a social provider; the browser links it within ten minutes and calls syncAccount. The caller must have signed in within five minutes',
  allow: 'account.link',
  body: z.object({ provider: z.enum(SOCIAL_PROVIDERS) }),
  reply: me,
  errors: ['EMAIL_UNPROVEN', 'RECENT_SIGN_IN_REQUIRED'],
})

export const unlinkProvider = endpoint({
  method: 'DELETE',
  path: '/romons.users/api/user/link/:provider',
  summary:
    'Takes away a way to sign in, and ends the sessions LINE made; the caller must have signed in within five minutes',
  allow: 'account.link',
  params: z.object({ provider: z.enum(SIGN_IN_PROVIDERS) }),
  reply: me,
  errors: ['LAST_SIGN_IN_METHOD', 'ACCOUNT_IS_LINE', 'RECENT_SIGN_IN_REQUIRED', 'NOT_FOUND'],
})

const link = z.object({
  provider: z.enum(LINKABLE),
  /** null when the link is older than this record. */
  linkedAt: instant.nullable(),
  /** The email address that the provider reports for its person. */
  email: z.string().nullable(),
})
export type Link = z.output<typeof link>

export const listLinks = endpoint({
  method: 'GET',
  path: '/romons.users/api/user/:uid/links',
  summary: 'Ways to sign in that were added to an account and can be taken away from it',
  allow: 'account.edit',
  params: z.object({ uid }),
  reply: z.array(link),
  errors: ['NOT_FOUND'],
})

/** false when the shop knows neither a LINE identity nor an address to reach the account's owner. */
export const isOwnerTold = z.boolean()

/** Where an admin's rank or way in is taken. */
const ENDS_ADMIN = ['LAST_TWO_ADMINS', 'SECOND_WORD_NEEDED'] as const

export const removeLink = endpoint({
  method: 'DELETE',
  path: '/romons.users/api/user/:uid/link/:provider',
  summary: 'Takes a way to sign in away from somebody else’s account; their sessions end',
  allow: 'account.edit',
  secondWord: 'runs',
  params: z.object({ uid, provider: z.enum(LINKABLE) }),
  reply: me.extend({ isOwnerTold }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ACCOUNT_IS_LINE', 'LAST_SIGN_IN_METHOD', 'LAST_TWO_ADMINS', 'SECOND_WORD_NEEDED'],
})

/**
 * How far the caller's session is with the second factor. A confirmation lasts as long as the session, at most 12
 * hours.
 */
const totpState = z.object({
  /** While this is true and `isConfirmed` is false, the whole back office answers 403 TOTP_REQUIRED. */
  isRequired: z.boolean(),
  isEnrolled: z.boolean(),
  isConfirmed: z.boolean(),
})
export type TotpState = z.output<typeof totpState>

export const getTotp = endpoint({
  method: 'GET',
  path: '/romons.users/api/user/totp',
  summary: 'Whether the caller must confirm this session with a code, and has',
  allow: 'totp.own',
  reply: totpState,
})

const typedCode = z.object({
  code,
  /** The random name that this browser chose: its wrong codes are counted apart from those of strangers. */
  browserKey: z
    .string()
    .regex(/^[A-Za-z0-9_-]{22,64}$/)
    .optional(),
})

/**
 * Returned only once. The browser sends it as header Session-Key with every call, so that other tokens of the same
 * account are not confirmed by it.
 */
const sessionKey = z.string()

const CODE_ERRORS = ['TOTP_WRONG', 'TOTP_LOCKED', 'TOTP_STRANGERS_LOCKED', 'TOTP_UNREADABLE'] as const
/** Shown only once, as a QR code. It takes effect with its first right code, typed in this session in ten minutes. */
export const enrolTotp = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/totp/enrol',
  summary:
    'Begins to enrol an authenticator app; who has one sends its code. The caller must have signed in within five minutes',
  allow: 'totp.own',
  body: typedCode.partial(),
  reply: z.object({ otpauthUri: z.string(), sessionKey }),
  errors: ['TOTP_REQUIRED', 'RECENT_SIGN_IN_REQUIRED', ...CODE_ERRORS],
})

export const confirmTotp = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/totp/confirm',
  summary: 'Confirms this session with a code of the authenticator app, and a new app with its first one',
  allow: 'totp.own',
  body: typedCode,
  reply: totpState.extend({ sessionKey }),
  errors: ['TOTP_NOT_ENROLLED', ...CODE_ERRORS],
})

export const resetTotp = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/:uid/resettotp',
  summary: "Takes somebody else's authenticator app away; their sessions end",
  allow: 'totp.reset',
  secondWord: 'runs',
  params: z.object({ uid }),
  reply: me,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'TOTP_NOT_ENROLLED', ...ENDS_ADMIN],
})

export const setUserRole = endpoint({
  method: 'POST',
  path: '/setUserRole',
  summary: 'Sets role and status of somebody else; their sessions end',
  allow: 'account.edit',
  secondWord: 'runs',
  callable: true,
  body: z.object({ uid, role, isActived }),
  reply: me,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ROLE_NOT_ASSIGNABLE', 'EMAIL_UNPROVEN', 'LINE_NOT_ALLOWED', ...ENDS_ADMIN],
})

/** Left-out fields stay; an empty phone number clears it. */
export const updateUser = endpoint({
  method: 'POST',
  path: '/updateUser',
  summary: 'Changes the profile of the caller, or of somebody the caller may edit',
  allow: 'account.own',
  callable: true,
  body: z.object({
    uid: uid.optional(),
    firstName: name.optional(),
    lastName: name.optional(),
    displayName: name.optional(),
    phoneNumber: phone.nullable().optional(),
  }),
  reply: me,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'PHONE_INVALID'],
})

export const updateUserAuthentication = endpoint({
  method: 'POST',
  path: '/updateUserAuthentication',
  summary:
    'Gives somebody else a password they must change at once; their sessions end, and the ways to sign in that they added go, but for those in `keep`',
  allow: 'account.edit',
  secondWord: 'repeats',
  secrets: ['password'],
  callable: true,
  body: z.object({ uid, password, keep: z.array(z.enum(LINKABLE)).max(LINKABLE.length).optional() }),
  reply: me.extend({ isOwnerTold }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'NO_PASSWORD_SIGN_IN', 'ADMIN_PASSWORD', 'WEAK_PASSWORD', 'SECOND_WORD_NEEDED'],
})

/** Either claim can only become stricter here: `false` makes the agent change it before anything else. */
export const setCustomAgentClaims = endpoint({
  method: 'POST',
  path: '/setCustomAgentClaims',
  summary: 'Makes an agent change password or PIN at the next sign-in',
  allow: 'account.edit',
  forOthers: true,
  callable: true,
  body: z.object({ uid, ispasswordchange: z.literal(false).optional(), ispinchange: z.literal(false).optional() }),
  reply: me,
  errors: ['AGENT_NOT_FOUND', 'FORBIDDEN', 'NOT_FOUND'],
})
