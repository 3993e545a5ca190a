CREATE TABLE "used_transfer" (
	"subject_id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"receiving_account_id" integer,
	"amount_satang" bigint NOT NULL,
	"made_from" timestamp (3) with time zone NOT NULL,
	"made_to" timestamp (3) with time zone NOT NULL,
	"sending_bank" text,
	"bank_reference" text,
	"told_at" timestamp (3) with time zone,
	"line_id" uuid,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "used_transfer_told_reference" CHECK ("used_transfer"."told_at" IS NULL OR "used_transfer"."bank_reference" IS NOT NULL),
	CONSTRAINT "used_transfer_line_of_itself" CHECK ("used_transfer"."kind" <> 'line' OR "used_transfer"."line_id" IS NOT DISTINCT FROM "used_transfer"."subject_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "used_transfer_reference" ON "used_transfer" USING btree ("sending_bank","bank_reference") WHERE "used_transfer"."bank_reference" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "used_transfer_line" ON "used_transfer" USING btree ("line_id") WHERE "used_transfer"."line_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "used_transfer_amount" ON "used_transfer" USING btree ("amount_satang","used_at");
--> statement-breakpoint
INSERT INTO "used_transfer" ("subject_id", "kind", "receiving_account_id", "amount_satang", "made_from", "made_to", "sending_bank", "bank_reference", "told_at", "line_id", "used_at")
SELECT o.id, 'order', o.receiving_account_id, coalesce(l.amount_satang, o.price_satang + o.tail_satang), o.created_at - interval '2 minutes',
  o.paid_at, t.sending_bank, t.bank_reference, CASE WHEN t.bank_reference IS NOT NULL THEN (SELECT a.transferred_at FROM slip_check k JOIN slip_ask a ON a.check_id = k.id
    WHERE k.subject_id = o.id AND k.slip_id = o.slip_id AND k.state = 'confirmed' AND a.transferred_at IS NOT NULL ORDER BY a.id DESC LIMIT 1) END, l.id, o.paid_at
FROM "orders" o LEFT JOIN "statement_line" l ON l.order_id = o.id
LEFT JOIN LATERAL (SELECT * FROM "spent_transfer" s WHERE s.subject_id = o.id ORDER BY s.spent_at DESC LIMIT 1) t ON true
WHERE o.payment = 'bank' AND o.paid_at IS NOT NULL;--> statement-breakpoint
INSERT INTO "used_transfer" ("subject_id", "kind", "receiving_account_id", "amount_satang", "made_from", "made_to", "sending_bank", "bank_reference", "told_at", "line_id", "used_at")
SELECT u.id, 'topUp', u.receiving_account_id, u.amount_satang, u.created_at - interval '24 hours',
  coalesce(u.decided_at, l.decided_at, u.created_at), t.sending_bank, t.bank_reference, CASE WHEN t.bank_reference IS NOT NULL THEN (SELECT a.transferred_at FROM slip_check k JOIN slip_ask a ON a.check_id = k.id
    WHERE k.subject_id = u.id AND k.slip_id = u.slip_id AND k.state = 'confirmed' AND a.transferred_at IS NOT NULL ORDER BY a.id DESC LIMIT 1) END, l.id, coalesce(u.decided_at, l.decided_at, u.created_at)
FROM "top_up" u LEFT JOIN "statement_line" l ON l.top_up_id = u.id
LEFT JOIN LATERAL (SELECT * FROM "spent_transfer" s WHERE s.subject_id = u.id ORDER BY s.spent_at DESC LIMIT 1) t ON true
WHERE (u.status = 'approve' AND u.corrected_at IS NULL) OR l.id IS NOT NULL;--> statement-breakpoint
INSERT INTO "used_transfer" ("subject_id", "kind", "receiving_account_id", "amount_satang", "made_from", "made_to", "line_id", "used_at")
SELECT l.id, 'line', l.receiving_account_id, l.amount_satang, coalesce(l.at, (l.day - 1)::timestamp AT TIME ZONE 'Asia/Bangkok'),
  coalesce(l.at + coalesce(l.precision_seconds, 1) * interval '1 second', (l.day + 1)::timestamp AT TIME ZONE 'Asia/Bangkok'), l.id, coalesce(l.decided_at, l.created_at)
FROM "statement_line" l WHERE l.state IN ('credited', 'owed');
