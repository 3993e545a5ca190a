CREATE TABLE "spent_transfer" (
	"sending_bank" text NOT NULL,
	"bank_reference" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"spent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "spent_transfer_sending_bank_bank_reference_pk" PRIMARY KEY("sending_bank","bank_reference")
);--> statement-breakpoint
DROP INDEX "slip_bank_reference_used";--> statement-breakpoint
ALTER TABLE "slip_check" ADD COLUMN "address_key" text;--> statement-breakpoint
CREATE INDEX "spent_transfer_subject" ON "spent_transfer" USING btree ("subject_id");--> statement-breakpoint
CREATE INDEX "slip_check_address" ON "slip_check" USING btree ("address_key","created_at") WHERE "slip_check"."address_key" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "slip_reference" ON "slip" USING btree ("sending_bank","bank_reference") WHERE "slip"."bank_reference" IS NOT NULL;--> statement-breakpoint
INSERT INTO "spent_transfer" ("sending_bank", "bank_reference", "subject_id", "spent_at")
SELECT s.sending_bank, s.bank_reference, s.used_for, coalesce(o.paid_at, u.decided_at)
FROM "slip" s LEFT JOIN "orders" o ON o.id = s.used_for LEFT JOIN "top_up" u ON u.id = s.used_for AND u.status = 'approve'
WHERE s.bank_reference IS NOT NULL AND coalesce(o.paid_at, u.decided_at) IS NOT NULL;
