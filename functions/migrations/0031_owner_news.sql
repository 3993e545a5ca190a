CREATE TABLE "owner_news" (
	"id" uuid PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"by_shop" boolean NOT NULL,
	"facts" jsonb NOT NULL,
	"email" text,
	"line_id" text,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "owner_news_once" UNIQUE("uid","kind","about")
);
--> statement-breakpoint
CREATE TABLE "mail_message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"uid" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"try_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "mail_message_once" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "owner_news" ADD CONSTRAINT "owner_news_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "owner_news_at" ON "owner_news" USING btree ("at");--> statement-breakpoint
CREATE INDEX "mail_message_state" ON "mail_message" USING btree ("state","id") WHERE "mail_message"."state" <> 'sent';--> statement-breakpoint
CREATE INDEX "mail_message_settled" ON "mail_message" USING btree ("settled_at");