import { KEPT_DAYS } from '../jobs/housekeeping.ts'
import type { TableName } from './table-names.ts'

/**
 * What an erasure does with a column that tells of a person: `uid` and `ownerKey` get those of the stand-in; `set` is
 * the SQL that takes its place; `written` is left to `erase_from_written_once` in roles.sql, since the server may not
 * change the table; `kept` stays as it is, for a reason.
 */
type Fate = 'uid' | 'ownerKey' | 'written' | { set: string } | { kept: string }

/** What the shop keeps in a table of persons, for how long, and what an erasure does with it. */
export interface Kept {
  /** How long its rows stay, if nobody is erased. */
  until: string
  /** The SQL condition for the rows of the erased person, over the sets of `ErasedSets`. */
  theirs?: string
  /** Whether those rows go as a whole. */
  goes?: true
  /** The columns that tell of a person. In tables of the shop itself these are members of the staff. */
  persons?: Readonly<Record<string, Fate>>
  /** All other columns that hold text or JSON: the shop's own words, words of the code, and random ids. */
  others?: readonly string[]
}

const ALWAYS = 'as long as the shop'
const BOOKS = 'as long as the books'
const days = (n: number): string => `${n} ${n === 1 ? 'day' : 'days'}`
const NULL = { set: 'NULL' } as const
const EMPTY = { set: `''` } as const
/** By it the same transfer is recognised when it is handed in a second time; it names a transfer, not a person. */
const TRANSFER = { kept: 'recognises a transfer that was used' } as const
/** Tells whether a text has a word of the person in it: an id, an address, a number or the whole name. */
const mentions = (text: string): string =>
  `EXISTS (SELECT FROM unnest(:words) AS w(word) WHERE strpos(${text}, word) > 0)`

const ofUid = { theirs: 'uid = ANY(:uids)', goes: true } as const
const ofShop = { until: ALWAYS, persons: { updated_by: 'uid' } } as const

/** The table of all tables. A column of text or JSON that it does not name fails a test. */
export const KEPT = {
  account: {
    ...ofUid,
    until: 'until its owner is erased',
    // The rows are deleted last, after the stand-in has taken their place; see erase.ts.
  },
  pin: { ...ofUid, until: 'until its owner is erased' },
  owner_code: { ...ofUid, until: days(KEPT_DAYS.session) },
  account_totp: { ...ofUid, until: 'until its owner is erased' },
  totp_session: { ...ofUid, until: days(KEPT_DAYS.session) },
  totp_browser: { ...ofUid, until: '90 days after its last use' },
  totp_try: { ...ofUid, until: days(KEPT_DAYS.session) },
  linked_identity: { ...ofUid, until: 'until it is taken away or its owner erased' },
  sign_in_attempt: {
    until: '30 minutes',
    others: ['state_hash', 'browser_hash', 'nonce', 'code_verifier'],
  },
  used_id_token: { until: 'as long as the token would live', others: ['token_hash'] },
  owner_news: {
    until: days(KEPT_DAYS.ownerNews),
    theirs: `uid = ANY(:uids) OR line_id = ANY(:lineIds) OR ${mentions('facts::text')}`,
    goes: true,
  },
  terms_acceptance: {
    until: `until its owner is erased; of guests ${days(KEPT_DAYS.guestTerms)}. An order names its version itself`,
    theirs: 'owner_key = ANY(:keys)',
    goes: true,
  },
  agent_tier: { until: ALWAYS, others: ['name', 'description'] },
  discount: { until: ALWAYS },
  agent_bank: { ...ofUid, until: 'until its owner is erased' },
  audit_entry: {
    until: BOOKS,
    persons: { actor_uid: 'written', subject: 'written', before: 'written', after: 'written' },
    others: ['actor_role', 'action'],
  },
  game: {
    ...ofShop,
    others: [
      'code',
      'name',
      'description',
      'qms_game_id',
      'picture',
      'search_words',
      'regions',
      'languages',
      'platforms',
      'old_codes',
      'field_labels',
      'field_formats',
      'player_hint',
      'player_hint_picture',
      'player_check',
      'player_checks',
    ],
  },
  delivery_time: { until: ALWAYS },
  game_tag: { until: ALWAYS, others: ['kind', 'code', 'name'] },
  package: {
    ...ofShop,
    others: ['name', 'description', 'delivers', 'sources', 'supplier_sku', 'warning', 'redeem_help'],
  },
  package_price: { until: ALWAYS, others: ['payment'] },
  payment_method: { until: ALWAYS, others: ['code', 'name', 'image', 'opening_hours'] },
  receiving_account: {
    ...ofShop,
    others: ['bank_code', 'account_name', 'account_name_en', 'account_no', 'branch', 'logo', 'prompt_pay_id'],
  },
  banner: { ...ofShop, others: ['picture', 'description'] },
  lost_slip: {
    until: BOOKS,
    theirs: 'slip_id = ANY(:slips)',
    persons: { closed_by: 'uid', closed_reason: NULL },
  },
  lost_purchase: {
    until: BOOKS,
    persons: { closed_by: 'uid' },
    // The shop does not know whose it is; the player is one of a game.
    others: ['supplier', 'reference', 'their_id', 'product', 'player', 'closed_reason'],
  },
  safe_mode: {
    until: ALWAYS,
    persons: { ordered_by: 'uid', went_by: 'uid' },
    others: ['identity', 'ordered_for', 'noticed_identity', 'witnessed_start'],
  },
  chat_channel: { until: ALWAYS, others: ['name', 'last_error'] },
  chat_room: {
    until: 'until the group is unbound',
    persons: { bound_by: 'uid' },
    others: ['room', 'group_id', 'group_name'],
  },
  chat_code: { ...ofUid, until: 'until it expires' },
  chat_friend: { until: 'until its owner is erased', theirs: 'line_id = ANY(:lineIds)', goes: true },
  chat_message: {
    until: days(KEPT_DAYS.chatMessage),
    theirs: `recipient = ANY(:lineIds) OR about = ANY(:orderNos) OR ${mentions('messages::text')}`,
    goes: true,
  },
  sold_day: { until: BOOKS, theirs: 'buyer = ANY(:uids)', persons: { buyer: 'uid' }, others: ['payment'] },
  sold_month: { until: BOOKS, theirs: 'buyer = ANY(:uids)', persons: { buyer: 'uid' }, others: ['payment'] },
  sale_day: { until: BOOKS, others: ['payment'] },
  sale_month: { until: BOOKS, others: ['payment'] },
  pulse: { until: ALWAYS, others: ['name'] },
  gateway_held: { until: ALWAYS, others: ['gateway'] },
  check_run: { until: ALWAYS, others: ['name', 'what'] },
  idempotency_key: {
    until: days(KEPT_DAYS.reply),
    // Replies to staff show other people's things.
    theirs: `scope = ANY(:keys) OR (scope IN (SELECT 'u:' || uid FROM account WHERE role NOT IN ('customer', 'agent'))
      AND (${mentions('reply::text')} OR EXISTS (SELECT FROM unnest(:orderNos) AS n(no) WHERE strpos(reply::text, no) > 0)))`,
    goes: true,
  },
  rate_limit: {
    until: 'an hour',
    theirs: `EXISTS (SELECT FROM unnest(:uids) AS u(uid) WHERE right(key, length(uid)) = uid)`,
    goes: true,
  },
  mail_message: {
    until: days(KEPT_DAYS.mail),
    theirs: `uid = ANY(:uids) OR ${mentions('recipient')} OR ${mentions('text')}`,
    goes: true,
  },
  orders: {
    until: BOOKS,
    theirs: 'id = ANY(:orders)',
    persons: {
      buyer_key: 'ownerKey',
      buyer_uid: 'uid',
      player_id: EMPTY,
      player_name: NULL,
      proposed_player: NULL,
      snapshot: { set: `jsonb_set(snapshot, '{fields}', '[]')` },
      // Whoever has the old link sees nothing any more.
      track_token: { set: `translate(rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '='), '+/', '-_')` },
      delivery_reference: NULL,
      reason: NULL,
      claimed_by: 'uid',
    },
    others: ['order_no', 'status', 'payment'],
  },
  order_event: {
    until: BOOKS,
    persons: { actor_uid: 'written', reason: 'written' },
    others: ['kind', 'from_status', 'to_status', 'actor_role'],
  },
  reserved_amount: {
    until: 'until the amount is given out again',
    theirs: 'buyer_key = ANY(:keys)',
    persons: { buyer_key: 'ownerKey' },
  },
  outbox: {
    until: `${days(KEPT_DAYS.doneJob)}; given up ${days(KEPT_DAYS.deadJob)}`,
    theirs: `kind IN ('chat.hear', 'chat.tell') AND (${mentions('payload::text')} OR ${mentions('key')})`,
    goes: true,
  },
  erasure: {
    until: BOOKS,
    theirs: 'id = :request OR uids && :uids',
    persons: { uids: { set: `'{}'` }, guest_hash: NULL },
    others: ['state'],
  },
  option: { until: ALWAYS, persons: { updated_by: 'uid' }, others: ['name', 'value'] },
  terms: { until: BOOKS, persons: { published_by: 'uid' }, others: ['version', 'body'] },
  catalogue_version: { until: ALWAYS },
  slip_check: {
    until: `${BOOKS}; the address ${days(KEPT_DAYS.address)}`,
    theirs: 'id = ANY(:checks)',
    persons: { owner_key: 'ownerKey', address_key: NULL },
    others: ['subject', 'state', 'reason'],
  },
  slip_ask: {
    until: `${BOOKS}; the provider's whole reply ${days(KEPT_DAYS.providerReply)}`,
    theirs: 'check_id = ANY(:checks)',
    persons: {
      payer_name: NULL,
      payer_mask: NULL,
      raw: NULL,
      verdict: NULL,
      outcome: NULL,
      bank_reference: TRANSFER,
      sending_bank: TRANSFER,
    },
    others: ['provider', 'code', 'answer', 'receiver_mask', 'flags'],
  },
  slip_provider: { until: ALWAYS, others: ['provider', 'stopped_code'] },
  statement_file: {
    until: `${BOOKS}; the file itself ${days(KEPT_DAYS.statementFile)}`,
    persons: { given_by: 'uid', confirmed_by: 'uid' },
    others: ['file_name', 'file_key'],
  },
  statement_mapping: { until: ALWAYS, persons: { saved_by: 'uid' }, others: ['header_hash', 'mapping'] },
  feed_key: { until: ALWAYS, persons: { created_by: 'uid' }, others: ['name', 'key_hash', 'prefix'] },
  statement_line: {
    until: `${BOOKS}; who paid, five years after the end of its year`,
    theirs: 'id = ANY(:lines)',
    persons: {
      detail: { kept: "the bank's own record, which accounts must show for five years" },
      from_bank: { kept: "the bank's own record, which accounts must show for five years" },
      from_account: { kept: "the bank's own record, which accounts must show for five years" },
      payer_hash: NULL,
      reason: NULL,
      decided_by: 'uid',
    },
    others: ['key', 'channel', 'chain', 'state'],
  },
  statement_event: {
    until: BOOKS,
    persons: { actor_uid: 'written', reason: 'written' },
    others: ['step', 'target_kind'],
  },
  owed_refund: {
    until: BOOKS,
    theirs: 'id = ANY(:refunds)',
    persons: {
      payee: NULL,
      payee_hash: NULL,
      payee_reason: NULL,
      reason: EMPTY,
      sent_by: 'uid',
      payee_by: 'uid',
      agreed_by: 'uid',
      reference: TRANSFER,
    },
    others: ['agreed_as'],
  },
  refund_request: {
    until: 'until the order is refunded or tried again',
    theirs: 'order_id = ANY(:orders)',
    goes: true,
  },
  charge: {
    until: BOOKS,
    theirs: 'order_id = ANY(:orders) OR top_up_id = ANY(:topUps)',
    persons: { pay: NULL },
    others: ['gateway', 'method', 'state', 'reference', 'contradiction'],
  },
  voucher_batch: { until: BOOKS, persons: { imported_by: 'uid' }, others: ['name'] },
  voucher_draft: { until: '1 hour, or until the next night', persons: { made_by: 'uid' }, others: ['sealed'] },
  voucher: {
    until: BOOKS,
    theirs: 'order_id = ANY(:orders)',
    persons: { revealed_on: NULL, withdrawn_by: 'uid', withdrawn_reason: NULL, complaint: NULL },
    others: ['state', 'sealed', 'hash', 'code_hash', 'last_four', 'region'],
  },
  voucher_address: {
    until: days(KEPT_DAYS.codeAddress),
    theirs: `order_id = ANY(:orders) OR ${mentions('address')}`,
    goes: true,
  },
  supplier: { until: ALWAYS, others: ['name', 'stopped_for', 'last_error'] },
  supplier_attempt: {
    until: BOOKS,
    theirs: 'order_id = ANY(:orders)',
    persons: { fields: { set: `'{}'` }, reason: NULL, overruled_reason: NULL, overruled_by: 'uid', seen_by: 'uid' },
    others: ['supplier', 'reference', 'sku', 'delivers', 'state', 'rejection', 'their_id', 'contradiction'],
  },
  supplier_answer: {
    until: BOOKS,
    theirs: 'attempt_id IN (SELECT id FROM supplier_attempt WHERE order_id = ANY(:orders))',
    persons: { message: NULL },
    others: ['asked', 'answer', 'code'],
  },
  supplier_callback: { until: days(KEPT_DAYS.supplierCallback), others: ['digest', 'supplier', 'reference'] },
  supplier_list: { until: ALWAYS, others: ['supplier'] },
  supplier_product: {
    until: ALWAYS,
    others: ['supplier', 'sku', 'name', 'delivers', 'price', 'currency', 'region', 'fields'],
  },
  supplier_product_change: {
    until: days(KEPT_DAYS.productChange),
    others: ['supplier', 'sku', 'name', 'kind', 'currency', 'from_price', 'to_price'],
  },
  price_rule: { until: ALWAYS, others: ['target', 'rounding'] },
  currency_rate: { until: ALWAYS, persons: { source: 'uid' }, others: ['currency'] },
  supplier_balance: { until: days(KEPT_DAYS.supplierBalance), others: ['supplier'] },
  used_transfer: {
    until: BOOKS,
    persons: { bank_reference: TRANSFER, sending_bank: TRANSFER },
    others: ['kind'],
  },
  slip: {
    until: `${BOOKS}; one that is not handed in ${days(KEPT_DAYS.unusedSlip)}`,
    theirs: 'id = ANY(:slips)',
    persons: {
      uploader_key: 'ownerKey',
      // The pictures are deleted before.
      file_key: EMPTY,
      qr_text: NULL,
      picture_hash: NULL,
      bank_reference: TRANSFER,
      sending_bank: TRANSFER,
    },
  },
  value_move: {
    until: BOOKS,
    persons: { actor_uid: 'written', second_uid: 'written', subject: 'written', note: 'written' },
    others: ['actor_role', 'kind'],
  },
  second_word: {
    until: `${days(KEPT_DAYS.settledWord)} after it is settled`,
    theirs: `asked_by = ANY(:uids) OR owners && :keys OR subject = ANY(:subjects) OR ${mentions(`note || coalesce(input::text, '')`)}`,
    goes: true,
  },
  reseller_day: {
    until: BOOKS,
    theirs: 'key_id IN (SELECT id FROM reseller_key WHERE uid = ANY(:uids))',
    persons: { last_used_from: NULL },
    others: ['key_id'],
  },
  reseller_call: {
    until: days(KEPT_DAYS.machineCall),
    theirs: 'key_id IN (SELECT id FROM reseller_key WHERE uid = ANY(:uids))',
    goes: true,
  },
  reseller_order: {
    until: BOOKS,
    theirs: 'uid = ANY(:uids)',
    persons: { uid: 'uid', ref: { set: 'order_id::text' } },
    others: ['key_id', 'request_hash'],
  },
  reseller_key: {
    until: 'as long as the orders that it placed',
    theirs: 'uid = ANY(:uids)',
    persons: { uid: 'uid', name: EMPTY, addresses: { set: `'{}'` }, ended_by: 'uid' },
    others: ['id', 'mode', 'secret_hash', 'scopes', 'ended_for'],
  },
  play_entry: { ...ofUid, until: days(KEPT_DAYS.playOrder) },
  play_order: { ...ofUid, until: days(KEPT_DAYS.playOrder) },
  play_wallet: { ...ofUid, until: 'until its owner is erased' },
  webhook_message: {
    until: days(KEPT_DAYS.webhookMessage),
    theirs: 'endpoint_id IN (SELECT id FROM webhook_endpoint WHERE uid = ANY(:uids))',
    goes: true,
  },
  webhook_endpoint: { ...ofUid, until: 'until its owner removes it or is erased' },
  wallet: { until: BOOKS, theirs: 'uid = ANY(:uids)', persons: { uid: 'uid' } },
  credit: { until: BOOKS, theirs: 'uid = ANY(:uids)', persons: { uid: NULL } },
  ledger_transaction: { until: BOOKS, persons: { reason: 'written' }, others: ['kind'] },
  ledger_entry: { until: BOOKS, others: ['account'] },
  top_up: {
    until: BOOKS,
    theirs: 'id = ANY(:topUps)',
    persons: { entered_by: 'uid', first_approved_by: 'uid', decided_by: 'uid', reason: NULL },
    others: ['no', 'payment', 'status'],
  },
} as const satisfies Record<TableName, Kept>

export const KEPT_TABLES = Object.entries<Kept>(KEPT)
