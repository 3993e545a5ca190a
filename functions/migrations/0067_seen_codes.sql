CREATE TABLE "voucher_address" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"given_at" timestamp (3) with time zone NOT NULL,
	"number_hash" text,
	"sent_at" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "voucher" ADD COLUMN "reveals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "voucher_address_given" ON "voucher_address" USING btree ("given_at");