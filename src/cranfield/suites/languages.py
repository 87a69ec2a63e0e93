"""Languages of queries: the two-letter codes of ISO 639-1, and near ones for what is no code."""

from __future__ import annotations

from cranfield_shared.names import near_names

__all__ = ["is_language", "suggest_languages"]

_TABLE = """
aa=afar ab=abkhazian ae=avestan af=afrikaans ak=akan am=amharic an=aragonese ar=arabic as=assamese
av=avaric ay=aymara az=azerbaijani ba=bashkir be=belarusian bg=bulgarian bi=bislama bm=bambara
bn=bengali bo=tibetan br=breton bs=bosnian ca=catalan ce=chechen ch=chamorro co=corsican cr=cree
cs=czech cu=slavonic cv=chuvash cy=welsh da=danish de=german dv=divehi dz=dzongkha ee=ewe el=greek
en=english eo=esperanto es=spanish et=estonian eu=basque fa=persian ff=fulah fi=finnish fj=fijian
fo=faroese fr=french fy=frisian ga=irish gd=gaelic gl=galician gn=guarani gu=gujarati gv=manx
ha=hausa he=hebrew hi=hindi ho=hiri-motu hr=croatian ht=haitian hu=hungarian hy=armenian hz=herero
ia=interlingua id=indonesian ie=interlingue ig=igbo ii=sichuan-yi ik=inupiaq io=ido is=icelandic
it=italian iu=inuktitut ja=japanese jv=javanese ka=georgian kg=kongo ki=kikuyu kj=kuanyama
kk=kazakh kl=kalaallisut km=khmer kn=kannada ko=korean kr=kanuri ks=kashmiri ku=kurdish kv=komi
kw=cornish ky=kyrgyz la=latin lb=luxembourgish lg=ganda li=limburgish ln=lingala lo=lao
lt=lithuanian lu=luba-katanga lv=latvian mg=malagasy mh=marshallese mi=maori mk=macedonian
ml=malayalam mn=mongolian mr=marathi ms=malay mt=maltese my=burmese na=nauru nb=bokmal
nd=north-ndebele ne=nepali ng=ndonga nl=dutch nn=nynorsk no=norwegian nr=south-ndebele nv=navajo
ny=chichewa oc=occitan oj=ojibwa om=oromo or=oriya os=ossetian pa=punjabi pi=pali pl=polish
ps=pashto pt=portuguese qu=quechua rm=romansh rn=rundi ro=romanian ru=russian rw=kinyarwanda
sa=sanskrit sc=sardinian sd=sindhi se=northern-sami sg=sango si=sinhala sk=slovak sl=slovenian
sm=samoan sn=shona so=somali sq=albanian sr=serbian ss=swati st=southern-sotho su=sundanese
sv=swedish sw=swahili ta=tamil te=telugu tg=tajik th=thai ti=tigrinya tk=turkmen tl=tagalog
tn=tswana to=tonga tr=turkish ts=tsonga tt=tatar tw=twi ty=tahitian ug=uighur uk=ukrainian
ur=urdu uz=uzbek ve=venda vi=vietnamese vo=volapuk wa=walloon wo=wolof xh=xhosa yi=yiddish
yo=yoruba za=zhuang zh=chinese zu=zulu
"""
_NAMES = {code: name for code, _, name in (each.partition("=") for each in _TABLE.split())}


def is_language(code: str) -> bool:
    """Return whether a code is of ISO 639-1, alone or with a region or script (`pt-BR`)."""
    return code.partition("-")[0] in _NAMES


def suggest_languages(written: str) -> list[str]:
    """Return the codes that were probably meant: of a language's name, or near ones."""
    folded = written.strip().casefold().replace("_", "-")
    if is_language(folded):
        return [folded]
    by_name = {name: code for code, name in _NAMES.items()}
    named = [by_name[name] for name in near_names(folded, by_name, 1)]
    return named or near_names(folded, _NAMES)
