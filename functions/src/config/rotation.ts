import type { SecretName } from '../pulse/secret-names.ts'

/** How a secret is changed while people buy. docs/operations/rotate.md says the same in commands. */
export interface Rotation {
  /** Whether the variable holds several, the newest first, so that the old and the new one are accepted together. */
  takes: 'several' | 'one'
  /**
   * How an operator knows that the old one may go: nothing is `kept` under it any more, the new one is `accepted` by whom
   * we ask (`npm run ops -- keys` tells both), or its `connections` are gone.
   */
  oldMayGo: 'kept' | 'accepted' | 'connections'
  /** Why nobody is turned away meanwhile. */
  meanwhile: string
}

export const ROTATION = {
  DATABASE_URL: {
    takes: 'one',
    oldMayGo: 'connections',
    meanwhile: 'There are two roles with the same rights: the new password is that of the other one.',
  },
  DATABASE_READ_URL: {
    takes: 'one',
    oldMayGo: 'connections',
    meanwhile: 'It changes together with DATABASE_URL; a wrong one only sends reports to the database itself.',
  },
  LINE_LOGIN_CHANNEL_SECRET: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'A sign-in is tried with the next secret when LINE refuses one, and a token of either is believed.',
  },
  LINE_CHANNEL_ACCESS_TOKEN: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'LINE lets the old token live on for up to 24 hours; what is refused with one is sent with the other.',
  },
  LINE_CHANNEL_SECRET: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'What either secret signed is heard; what was refused before the new one was known, LINE sends again.',
  },
  TOTP_KEY: {
    takes: 'several',
    oldMayGo: 'kept',
    meanwhile: "Each key reads what was encrypted with it; a right code encrypts its app's secret anew.",
  },
  VOUCHER_KEYS: {
    takes: 'several',
    oldMayGo: 'kept',
    meanwhile:
      'Each key reads what was encrypted with it; `npm run ops -- reseal` encrypts everything anew with the newest.',
  },
  PIN_KEYS: {
    takes: 'several',
    oldMayGo: 'kept',
    meanwhile: 'Each hash names its key; a right PIN is kept anew with the newest.',
  },
  FRONT_SECRET: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'The front may write either.',
  },
  PULSE_KEYS: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'Whoever watches may send either.',
  },
  SMTP_URL: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'Where one address does not let the shop in, the mail goes by the other.',
  },
  BOT_API_KEY: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'The bank is asked with the next key where it refuses one; until it answers, the last rates hold.',
  },
  SLIPOK_BRANCH_ID: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'It changes together with its key, and not when only the key does.',
  },
  SLIPOK_API_KEY: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'A question that is refused costs nothing and is asked with the other key.',
  },
  EASYSLIP_API_KEY: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'A question that is refused costs nothing and is asked with the other key.',
  },
  SEAGM_UID: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'It changes together with its key, and not when only the key does.',
  },
  SEAGM_SECRET_KEY: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'A refused call has bought nothing and is made with the other key; callbacks by either are believed.',
  },
  GAMESDROP_TOKEN: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile:
      'GamesDrop ends the old token as it shows the new one; orders that it refuses in between wait as paid, or another supplier takes them.',
  },
  KINGUIN_API_KEY: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'A call that is refused has bought nothing and is made with the other key.',
  },
  KINGUIN_WEBHOOK_SECRET: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'What comes with either secret is heard, and what is not heard is asked about.',
  },
  OPN_SECRET_KEY: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'A call that is refused has collected nothing and is made with the other key.',
  },
  OPN_WEBHOOK_SECRET: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'What either secret signed is heard, and what is not heard is asked about later.',
  },
  STRIPE_SECRET_KEY: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'A call that is refused has collected nothing and is made with the other key.',
  },
  STRIPE_WEBHOOK_SECRET: {
    takes: 'several',
    oldMayGo: 'accepted',
    meanwhile: 'What either secret signed is heard, and what is not heard is asked about later.',
  },
} as const satisfies Record<SecretName, Rotation>
