CREATE TABLE "reseller_call" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"call" text NOT NULL,
	"status" smallint NOT NULL,
	"code" text,
	"ref" text,
	"address" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "voucher" ADD COLUMN "code_hash" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "events" text[];--> statement-breakpoint
ALTER TABLE "reseller_call" ADD CONSTRAINT "reseller_call_key_id_reseller_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."reseller_key"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reseller_call_list" ON "reseller_call" USING btree ("key_id","id");--> statement-breakpoint
CREATE INDEX "reseller_call_failed" ON "reseller_call" USING btree ("key_id","id") WHERE "reseller_call"."status" >= 400;--> statement-breakpoint
CREATE INDEX "reseller_call_at" ON "reseller_call" USING btree ("at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "voucher_code_hash" ON "voucher" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "voucher_unnamed" ON "voucher" USING btree ("id") WHERE "voucher"."code_hash" IS NULL;